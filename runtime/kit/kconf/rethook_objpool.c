/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the instances of a return probe in a ring for each CPU? 4bbd93455659 "kprobes: kretprobe scalability improvement",
 * v6.7. */
#include <linux/kprobes.h>
#if __has_include(<linux/rethook.h>) /* since v5.18; an absent header would end the compilation of all questions */
#include <linux/rethook.h>
#else
#error "no rethook.h"
#endif

int kt_question(const struct rethook *rh)
{
	return rh->pool.nr_objs;
}

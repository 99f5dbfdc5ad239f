/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the instances of a return probe in a ring for each CPU? 4bbd93455659 "kprobes: kretprobe scalability improvement",
 * v6.7. */
#include <linux/kprobes.h>
#include <linux/rethook.h>

int kt_question(const struct rethook *rh)
{
	return rh->pool.nr_objs;
}

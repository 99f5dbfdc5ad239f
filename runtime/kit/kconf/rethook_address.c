/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do handlers of returns get the return address? cb16330d1274 "fprobe: Pass return address to the handlers",
 * v6.5. */
#include <linux/kprobes.h>
#if __has_include(<linux/rethook.h>) /* since v5.18; an absent header would end the compilation of all questions */
#include <linux/rethook.h>
#else
#error "no rethook.h"
#endif

void kt_question(struct rethook *rh, struct rethook_node *node, struct pt_regs *regs)
{
	rh->handler(node, NULL, 0, regs);
}

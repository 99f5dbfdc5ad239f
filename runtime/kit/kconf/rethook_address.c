/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do handlers of returns get the return address? cb16330d1274 "fprobe: Pass return address to the handlers",
 * v6.5. */
#include <linux/kprobes.h>
#include <linux/rethook.h>

void kt_question(struct rethook *rh, struct rethook_node *node, struct pt_regs *regs)
{
	rh->handler(node, NULL, 0, regs);
}

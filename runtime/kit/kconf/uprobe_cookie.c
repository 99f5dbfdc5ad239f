/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do the handlers of a uprobe share a cookie? da09a9e0c3ea "uprobe: Add data pointer to consumer handlers", v6.13. */
#include <linux/uprobes.h>

int kt_question(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *cookie)
{
	return uc->handler(uc, regs, cookie);
}

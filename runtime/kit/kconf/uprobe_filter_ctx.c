/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the filter of a uprobe's consumer get the reason of the call? Until 59da880afed2 "uprobes: get rid of enum
 * uprobe_filter_ctx in uprobe filter callbacks", v6.12. */
#include <linux/uprobes.h>

bool kt_question(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	return uc->filter(uc, UPROBE_FILTER_MMAP, mm);
}

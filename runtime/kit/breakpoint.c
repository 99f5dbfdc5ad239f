/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uprobes: one consumer at one place of a file, for the families that probe programs. */
#include "runtime/kit/services.h"

int kt_breakpoint_set(struct kt_breakpoint *b)
{
	int err = kt_uprobe_register(b->inode, b->offset, b->semaphore, &b->uc, &b->uprobe);

	b->cut = err == -EINTR;
	return err;
}

void kt_breakpoint_clear(struct kt_breakpoint *b)
{
	kt_uprobe_unregister(b->inode, b->offset, &b->uc, b->uprobe);
}

void kt_breakpoint_mend(struct kt_breakpoint *b)
{
	if (b->cut && !kt_breakpoint_set(b))
		kt_breakpoint_clear(b);
}

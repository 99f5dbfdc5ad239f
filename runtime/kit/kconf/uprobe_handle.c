/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does registering a uprobe give a handle, with the reference counter as an argument? 3c83a9ad0295 "uprobes: make
 * uprobe_register() return struct uprobe *", v6.12. */
#include <linux/uprobes.h>

struct uprobe *kt_question(struct inode *inode, struct uprobe_consumer *uc)
{
	return uprobe_register(inode, 0, 0, uc);
}

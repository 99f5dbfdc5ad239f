#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A structure does not fit in a long; its members, elements and its address do.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").call { println($file->f_path) }'
	refused target-type
	analyse 'probe kernel.function("vfs_read").call {
		println($file->f_path->dentry->d_name->name, $file->f_path->dentry->d_iname[2], &$file->f_path,
			$file->f_inode->i_mode, $pos[0], $count)
	}'
	accepted
}
on_each check

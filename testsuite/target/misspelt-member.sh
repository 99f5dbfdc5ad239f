#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A misspelt member: the nearest one of the same structure. A misspelt type: the nearest type.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").call { println($file->f_pathh) }'
	refused target-member
	said "did you mean 'f_path'?"
	said "'struct file' has no member 'f_pathh'"
	for how in dwarf btf; do
		ktap -r "$R" --debuginfo=$how -p2 -e 'probe begin { println(@cast(0, "struct task_strut")->pid) }'
		refused target-type
		said "did you mean 'task_struct'?"
	done
}
on_each check

#!/bin/sh
# A misspelt member: the nearest one of the same structure.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").call { println($file->f_pathh) }'
	refused target-member
	said "did you mean 'f_path'?"
	said "'struct file' has no member 'f_pathh'"
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A misspelt variable: the nearest one and all that are available there.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").call { println($fiel) }'
	refused target-var
	said "did you mean '\$file'?"
	said 'available there: .*\$buf'
	analyse 'probe kernel.function("vfs_read").return { println($retrun) }'
	refused target-var
	said "did you mean '\$return'?"
}
on_each check

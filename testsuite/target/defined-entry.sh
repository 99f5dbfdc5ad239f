#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @defined(@entry(...)): in return probes, whether it could be computed at the entry; false elsewhere.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# is TRUTH POINT EXPRESSION
is()
{
	analyse "probe $2 { println(@defined($3) ? 4241 : 4240) }"
	accepted
	ktap -r "$R" -p3 -e "probe $2 { println(@defined($3) ? 4241 : 4240) }"
	grep -q "424$1" out || fail "@defined($3) in $2 is not $1"
}

check()
{
	is 1 'kernel.function("vfs_read").return' '@entry($count)'
	is 1 'kernel.function("vfs_read").return' '@entry($file->f_flags)'
	is 0 'kernel.function("vfs_read").return' '@entry($nosuch)'
	is 0 'kernel.function("vfs_read").return' '@entry($file->nosuch)'
	is 0 'kernel.function("vfs_read").call' '@entry($count)'
	is 0 begin '@entry($count)'
	is 0 'timer.s(1)' '@entry($count)'
	is 1 'kernel.function("vfs_read").return' '@entry(tid())'
}
on_each check

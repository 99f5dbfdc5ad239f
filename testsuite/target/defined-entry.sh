#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @defined of @entry: in return probes, whether it could be computed at the entry; false elsewhere. Of enumerators, and of
# expressions: whether all of their parts are known.
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
	is 1 'kernel.function("vfs_read").call' '@enum("PIDTYPE_PID")'
	is 0 'kernel.function("vfs_read").call' '@enum("PIDTYPE_NOSUCH")'
	is 0 'kernel.function("vfs_read").call' '$count + @enum("PIDTYPE_NOSUCH")'
	is 1 'kernel.function("vfs_read").call' '@enumname(1, "enum pid_type")'
	is 0 'kernel.function("vfs_read").call' '@enumname($nosuch, "enum pid_type")'
	is 0 'kernel.function("vfs_read").call' '@enumname($count)'
	is 1 'kernel.function("vfs_read").call' '$count + $file->f_flags'
	is 0 'kernel.function("vfs_read").call' 'user_string($nosuch)'
}
on_each check

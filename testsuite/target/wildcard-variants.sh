#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Of the points that a wildcard stands for, those count that exist; what their handlers cannot do is an error all the same.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.funct*("vfs_read").*l* { }'
	accepted
	grep -q '^kernel.function("vfs_read@.*").call' out || fail "no .call"
	! grep -q '^kernel.function("vfs_read@.*").inline' out || fail ".inline: vfs_read is called"
	analyse 'probe kernel.funct*("vfs_read").*all { println($nosuch) }'
	refused target-var
	analyse 'probe kernel.funct*("no_such_function").* { }'
	refused no-match
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --skip-badvars: what a place does not have is 0 there, "" where it would be text; a warning tells why.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# with SCRIPT: passes 1 to 3, where constants can be seen.
with()
{
	ktap -r "$R" -p3 --skip-badvars -e "$1"
	accepted
}

check()
{
	with 'probe kernel.function("vfs_read").call { println($nosuch + 4242000, $count) }'
	said "warning: no variable '\$nosuch'"
	grep -q 4242000 out || fail "the rest of the expression is gone"
	with 'probe kernel.function("vfs_read").call { println($file->nosuch->member) }'
	said "warning: 'struct file' has no member 'nosuch'"
	with 'probe kernel.function("vfs_read").call { println($nosuch$ . "and more") }'
	said "warning: no variable '\$nosuch'"
	with 'probe kernel.function("vfs_read").return { println($nosuch) }'
	said "warning: no variable '\$nosuch'"
	with 'probe begin { println(@defined($nosuch) ? 1 : 2) }'
	! test -s err || fail "@defined needs no warning"
	# What a return probe keeps from the entry is kept all the same.
	kept='probe kernel.function("vfs_read").return { println($count, @entry($file->f_flags)) }'
	with "$kept"
	mv out skipping
	ktap -r "$R" -p3 -e "$kept"
	accepted
	cmp skipping out || fail "--skip-badvars changes a script without bad variables"
	ktap -r "$R" -p2 --skip-badvars -W -e 'probe kernel.function("vfs_read").call { println($nosuch) }'
	refused target-var
	ktap -r "$R" -p2 --skip-badvars -e 'probe begin { println(@cast(0, "task_struct")->nosuch) }'
	refused target-member
}
on_each check

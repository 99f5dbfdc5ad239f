#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A listing of what is misspelt fails like a probe of it, with the same proposal.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# no TAG NAME POINT: -l and -L refuse the point and propose the name.
no()
{
	for option in -l -L; do
		ktap -r "$R" "$option" "$3"
		refused "$1"
		said "did you mean '$2'?"
		test ! -s out || fail "something is listed"
	done
}

check()
{
	no probe-point kernel 'kernal.function("vfs_read")'
	no probe-point function 'kernel.functoin("vfs_read")'
	no probe-point return 'kernel.function("vfs_read").retrun'
	no no-match vfs_read 'kernel.function("vfs_raed")'
	no no-match sched:sched_switch 'kernel.trace("sched:sched_swich")'
	test -e "/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko" || return 0
	no no-match loop 'module("looop").function("loop_add")'
	no no-match loop_add 'module("loop").function("loop_ad")'
	no no-match vfs_read 'kernel.function("ksys_read").callee("vfs_raed")'
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a kernel has under a longer name, or one with other underscores, is suggested; so is the source file that was meant.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("sys_mmap") { }'
	refused no-match
	said "did you mean '__[a-z0-9]*_sys_mmap'"
	analyse 'probe kernel.function("blk_start_request") { }'
	refused no-match
	said "did you mean 'blk_mq_start_request'"
	analyse 'probe kernel.trace("sched:sched_switch") { println($prev->state) }'
	refused target-member
	said "did you mean '__state'"
	# One letter wrong is more likely than some words more.
	analyse 'probe kernel.function("vfs_reax").call { }'
	refused no-match
	said "did you mean 'vfs_read'"
	analyse 'probe kernel.function("*@net/scoket.c").call { }'
	refused no-match
	said "did you mean '\*@net/socket.c'"
	! grep -q 'is there as a function' err || fail "functions of other files are named"
	analyse 'probe generic_nosuch.fop.open { }'
	refused probe-point
	test "$(grep -o 'process,' err | wc -l)" -le 1 || fail "a form is listed more than once"
}
on_each check

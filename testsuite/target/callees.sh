#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Callees: inlined and called ones, from which call, levels; what is said when there are none.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" -l 'kernel.function("ksys_read").callee("vfs_read")'
	accepted
	printed '^kernel.function("ksys_read@fs/read_write.c:[0-9]*").callee("vfs_read@fs/read_write.c:[0-9]*")$'
	# It can be pasted.
	ktap -r "$R" -l "$(cat out)"
	printed '^kernel.function("ksys_read@.*").callee("vfs_read@'
	ktap -r "$R" -L 'kernel.function("ksys_read").callee("vfs_read").return'
	printed '").return $return:ssize_t $file:struct file\*'
	# One level has what is inlined too; .call and .return have not; the next level belongs to the callee.
	ktap -r "$R" -l 'kernel.function("ksys_read").callees'
	printed '.callee("fdget_pos@[a-z/]*/file.[ch]:[0-9]*")$'
	! grep -q 'function("vfs_read' out || fail "one level is two"
	ktap -r "$R" -l 'kernel.function("ksys_read").callee("file_ppos").call'
	refused no-match
	ktap -r "$R" -l 'kernel.function("ksys_read").callees(2)'
	printed 'function("ksys_read@.*callee("vfs_read@'
	printed 'function("vfs_read@.*callee("rw_verify_area@'
	# How it is made sure who calls.
	ktap -r "$R" -p2 -v -e 'probe kernel.function("ksys_read").callee("vfs_read") { println($count) }'
	accepted
	printed 'where ksys_read@fs/read_write.c:[0-9]* calls it, kprobe'

	analyse 'probe kernel.function("ksys_read").callee("vfs_raed") { }'
	refused no-match
	said "did you mean 'vfs_read'?"
	analyse 'probe kernel.function("ksys_raed").callees { }'
	refused no-match
	said "did you mean 'ksys_read'?"
	analyse 'probe kernel.function("ksys_read").callees(9) { }'
	refused probe-arg
	analyse 'probe kernel.function("ksys_read").callees(0) { }'
	refused probe-arg
	analyse 'probe kernel.function("ksys_read").callee("nosuch")? { } probe never { }'
	accepted
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("ksys_read").callees { }'
	refused no-debuginfo
	said 'what a function calls'
}
on_each check

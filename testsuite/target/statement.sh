#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Statements: what places a line has, and what helps when it has none.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# lists LINES OTHERS: the same places, as many as there are.
lists()
{
	ktap -r "$R" -l "kernel.statement(\"vfs_read@fs/read_write.c$1\")"
	accepted
	mv out first
	ktap -r "$R" -l "kernel.statement(\"vfs_read@fs/read_write.c$2\")"
	accepted
	cmp -s first out || fail "not the lines of $1"
	test "$(sort out | uniq -d | wc -l)" = 0 || fail "a line is there twice"
}

check()
{
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:+2") { }'
	refused no-match
	said 'the nearest lines with code are [+]'
	ktap -r "$R" -l 'kernel.statement("vfs_read@fs/read_write.c:+2").nearest'
	accepted
	printed '^kernel.statement("vfs_read@fs/read_write.c:[0-9]*").nearest$'
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:+2").nearest { }'
	accepted
	analyse 'probe kernel.statement("vfs_raed@fs/read_write.c:20") { }'
	refused no-match
	said "did you mean 'vfs_read'?"
	analyse 'probe kernel.statement("vfs_read@fs/open.c:+1") { }'
	refused no-match
	said 'vfs_read@fs/read_write.c:[0-9]* is there as a function'
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:20-10") { }'
	refused probe-arg
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:x") { }'
	refused probe-arg
	analyse 'probe kernel.statement(0x1234) { }'
	refused no-match
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:+1") { println($nosuch) }'
	refused target-var
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c:1,x") { }'
	refused probe-arg
	analyse 'probe kernel.statement("vfs_read@fs/read_write.c+2,") { }'
	refused probe-arg
	# Lines from the function's start, as SystemTap has them and with a colon; lists, in any order and twice: each line once.
	lists ':+0-9,13' '+0-9,13'
	lists ':+0-13' '+10-13,4,0-9,5,3-11'
	test "$(wc -l <out)" -gt 5 || fail "few lines"
	# What is listed names lines of the file: the same again.
	lists '+0-13' ":$(sed 's/.*:\([0-9]*\)".*/\1/' out | paste -sd,)"
	# Inlined copies are places too, each with its own.
	analyse 'probe kernel.statement("do_sys_open@fs/open.c:+0-3") { println($filename) }'
	accepted
	printed 'do_sys_open inlined into __x64_sys_openat at fs/open.c'
	# No copy returns: the functions around it do.
	analyse 'probe kernel.function("open_last_lookups").return { }'
	refused no-match
	said 'note: open_last_lookups@fs/namei.c:[0-9]* is inlined; probe what calls it: path_openat$'
}
on_each check
ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.statement("vfs_read@fs/read_write.c:+1") { }'
refused no-debuginfo
said 'apt-get install'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file or a declaration line chooses among functions of one name.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read@fs/read_write.c") { }'
	accepted
	point=$(sed -n 's/^\(kernel.function("[^"]*")\).*/\1/p' out)
	# What is printed can be pasted.
	analyse "probe $point { }"
	accepted
	printed "^kernel.function(\"vfs_read@fs/read_write.c:[0-9]*\")"
	analyse 'probe kernel.function("vfs_read@read_write.c:1") { }'
	refused no-match
	said 'vfs_read@fs/read_write.c:[0-9]* is there as a function'
	# Any line of a function chooses it, declaration and last brace included; beyond that a line is in none.
	first=$(expr "$point" : '.*read_write.c:\([0-9]*\)')
	ktap -r "$R" -l "kernel.statement(\"vfs_read@fs/read_write.c:*\")"
	last=$(sed -n 's/.*read_write.c:\([0-9]*\)")$/\1/p' out | sort -n | tail -n 1)
	test "$last" -gt "$((first + 5))" || fail "lines $first to $last"
	for line in "$first" $((first + 5)) "$last"; do
		ktap -r "$R" -l "kernel.function(\"*@fs/read_write.c:$line\")"
		test "$(cat out)" = "$point" || fail "line $line is in another function"
	done
	ktap -r "$R" -l "kernel.function(\"vfs_read@fs/read_write.c:$((last + 1))\")"
	refused no-match
	ktap -r "$R" -l "kernel.function(\"*@fs/read_write.c:1\")"
	refused no-match
	said "ktap -l 'kernel.function(\"\*@fs/read_write.c\")' lists"
	test "$(grep -c note: err)" = 1 || fail "functions elsewhere are no help"
	ktap -r "$R" -l "kernel.function(\"*@fs/read_write.c:$first-$last\")"
	refused probe-arg
	said 'takes ranges'
	# A file that several are called like means all of them; more of its path, fewer.
	ktap -r "$R" -l 'kernel.function("init_once@inode.c")'
	printed '"init_once@fs/inode.c:[0-9]*")$'
	printed '"init_once@fs/proc/inode.c:[0-9]*")$'
	! grep -v '"init_once@fs/[a-z/]*inode\.c:[0-9]*")$' out || fail "another function, or another file"
	ktap -r "$R" -l 'kernel.function("init_once@proc/inode.c")'
	test "$(wc -l <out)" = 1 || fail "one file is meant"
	printed '"init_once@fs/proc/inode.c:[0-9]*")$'
}
on_each check

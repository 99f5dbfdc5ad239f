#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -l lists points that can be pasted, sorted, each once; -L adds the variables that all places of a point have.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

same() { printf '%s\n' "$@" | cmp -s - out || fail "expected: $*"; }

# Lines sorted by strcmp, none twice, and each of them resolves to itself.
well_formed()
{
	LC_ALL=C sort -c out || fail "not sorted"
	test "$(uniq -d out)" = "" || fail "a point twice"
	for line in $(head -n 3 out | tr ' ' '~'); do
		ktap -r "$R" -l "$line" 2>/dev/null
		accepted
		same "$line"
	done
}

check()
{
	ktap -r "$R" -l 'kernel.function("vfs_r*")'
	accepted
	test ! -s err || fail "it writes on stderr"
	printed '^kernel.function("vfs_read@fs/read_write.c:[0-9]*")$'
	well_formed
	ktap -r "$R" -l 'kernel.function("do_sys_open")'
	test "$(wc -l <out)" = 1 || fail "a function is listed once, whatever its copies"
	ktap -r "$R" -L 'kernel.function("vfs_read")'
	printed '") $file:struct file\* $buf:char\* $count:size_t $pos:loff_t\*$'
	ktap -r "$R" -L 'kernel.function("vfs_read").return'
	printed '").return $return:ssize_t $file:struct file\* $buf:char\* $count:size_t $pos:loff_t\*$'
	ktap -r "$R" --debuginfo=btf -L 'kernel.function("vfs_read")'
	same 'kernel.function("vfs_read") $file:struct file* $buf:char* $count:size_t $pos:loff_t*'
	ktap -r "$R" -l 'kernel.function("vfs_read").*'
	printed '\.call$'
	printed '\.return$'
	ktap -r "$R" --debuginfo=btf -L 'kernel.trace("sched_switch")'
	same 'kernel.trace("sched:sched_switch") $preempt:bool $prev:struct task_struct* $next:struct task_struct* $prev_state:unsigned int'
	ktap -r "$R" -l 'kernel.trace("sched:*")'
	well_formed
	ktap -r "$R" -L 'input.*'
	same 'input.char char:string $value:string' 'input.line line:string $value:string'
	ktap -r "$R" -l 'kernel.function("no_such_function_*")'
	refused no-match
	test ! -s out || fail "nothing matches, but something is listed"
	ktap -r "$R" -l 'kernel.function("no_such_function_*") ?, begin'
	same begin
}
on_each check

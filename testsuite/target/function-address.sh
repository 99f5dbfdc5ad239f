#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# .function(ADDRESS) is the function that has the code at that address: at its entry, in the middle, in a module.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# A hexadecimal number and some more; addresses of a kernel are too large for the shell.
plus() { perl -e 'printf "0x%x", hex($ARGV[0]) + $ARGV[1]' "$1" "$2"; }
# The point that resolves to one place; what System.map and nm say of it.
point_of() { ktap -r "$R" -l "$1"; accepted; cat out; }

check()
{
	map=/usr/lib/debug/boot/System.map-$R
	test -e "$map" || return 0
	entry=0x$(sed -n 's/^\([0-9a-f]*\) T vfs_read$/\1/p' "$map")
	middle=$(plus "$entry" 17)
	test "$(point_of "kernel.function($middle)")" = "kernel.function($entry)" || fail "the function of $middle"
	test "$(point_of "kernel.function($entry).return.maxactive(3)")" = "kernel.function($entry).return.maxactive(3)" ||
		fail "its return"
	ktap -r "$R" -L "kernel.function($middle).exported"
	printed ' \$file:struct file\* \$buf:char\* \$count:size_t \$pos:loff_t\*$'
	analyse "probe kernel.function($middle).call { println(\$count) }"
	accepted
	printed "^  # at $entry vfs_read+0 fs/read_write.c:[0-9]*, ftrace"
	analyse 'probe kernel.function(0x1234) { }'
	refused no-match
	said 'no function of kernel is at 0x1234'
	analyse 'probe kernel.function(0x1234) ?, begin { }'
	accepted
	# A static function is there, and is not exported.
	static=0x$(sed -n 's/^\([0-9a-f]*\) t ext4_file_open$/\1/p' "$map")
	test "$(point_of "kernel.function($static)")" = "kernel.function($static)" || fail "a static function"
	analyse "probe kernel.function($static).exported { }"
	refused no-match
	said 'no exported function'
	ktap -r "$R" --debuginfo=btf -p2 -e "probe kernel.function($entry) { }"
	refused no-debuginfo
	said 'apt-get install'
	# Of a module: from the start of .text, where nm counts from too.
	loop=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko
	test -e "$loop" || return 0
	offset=$(nm "$loop" | sed -n 's/^0*\([0-9a-f]*\) t loop_add$/\1/p')
	analyse "probe module(\"loop\").function($(plus "$offset" 9)) { println(\$i) }"
	accepted
	printed 'at loop:loop_add+0 drivers/block/loop.c:'
}
on_each check

# Of a program.
cat >prog.c <<-'EOF'
	static int __attribute__((noinline)) hidden(int a) { return a * 2; }
	int main(int argc, char **argv) { return hidden(argc); }
EOF
cc -g -O1 -o prog prog.c
at=0x$(nm prog | sed -n 's/^0*\([0-9a-f]*\) t hidden$/\1/p')
ktap -L "process(\"$PWD/prog\").function($(plus "$at" 1)).return"
test "$(cat out)" = "process(\"$PWD/prog\").function($at).return \$return:int \$a:int" || fail "of a program"
ktap -l "process(\"$PWD/prog\").function($at).exported"
refused no-match
strip prog
ktap -l "process(\"$PWD/prog\").function($at)"
refused no-debuginfo

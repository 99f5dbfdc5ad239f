#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that gcc folded into one with equal code have a symbol that jumps there, and no address in DWARF. They are probed where nm says that
# they are. Such a function once: none is a second place of another.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	vmlinux=/usr/lib/debug/boot/vmlinux-$R
	nm "$vmlinux" >symbols
	for name in cap_task_setnice sock_no_shutdown nsecs_to_jiffies bad_inode_rmdir bpf_jit_supports_kfunc_call; do # the fourth is static
		address=$(sed -n "s/^\([0-9a-f]*\) [tT] $name\$/0x\1/p" symbols)
		test -n "$address" || fail "$R has no $name"
		analyse "probe kernel.function(\"$name\").call { }"
		accepted
		printed "^  # at $address $name+0 "
		test "$(grep -c '^  # at ' out)" = 1 || fail "$name has more than one place"
	done
	# Its parameters are those that BTF knows, where the calling convention has them.
	for how in dwarf btf; do
		ktap -r "$R" --debuginfo=$how -L 'kernel.function("cap_task_setnice")'
		accepted
		printed 'function("cap_task_setnice.*") \$p:struct task_struct\* \$nice:int$'
	done
	ktap resolve --json -r "$R" 'kernel.function("s*").call'
	accepted
	grep -o '"address":[0-9]*' out | sort | uniq -d >twice
	test ! -s twice || fail "two places at one address: $(head -n 3 twice)"
}

on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a kernel has under a longer name, or one with other underscores, is suggested; so are the source file that was meant, the
# program of a cast, and another name for a global that an alias hides.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("sys_mmap") { }'
	refused no-match
	said "did you mean '__[a-z0-9]*_sys_mmap'"
	analyse 'probe kernel.function("blk_free_request") { }'
	refused no-match
	said "did you mean '_*blk_mq_free_request'"
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
	# A file that moved is meant before one whose path is alike.
	analyse 'probe kernel.function("tcp_sendmsg@net/tcp.c") { }'
	refused no-match
	said "did you mean 'tcp_sendmsg@net/ipv4/tcp.c'"
	analyse 'probe module("kvm").function("*@arch/x86/kvm/mmu.c").call { }'
	test "$status" = 0 || grep -q 'no module\|not installed\|no debugging' err || said "did you mean '\*@arch/x86/kvm/mmu/mmu.c'"
	analyse 'probe kernel.function("*@net/scoket.c").call { }'
	! grep -q 'is there as a function' err || fail "functions of other files are named"
	analyse 'probe generic_nosuch.fop.open { }'
	refused probe-point
	test "$(grep -o 'process,' err | wc -l)" -le 1 || fail "a form is listed more than once"
	# The variable of an alias hides a global of the script.
	analyse 'global name; probe syscall.open { name[pid()] = 1 }'
	refused undef-global
	said "'name' is a variable of the probe's alias here, not the global of that name"
	said '<input>:1:8: note: the global needs another name'
	# A function of the script has no program: its casts mean the kernel, which has another type of that name, or none.
	for type in node node_of_mine; do
		printf 'struct %s { int v; } n;\n__attribute__((noipa)) int look(struct %s *p) { return p->v; }\nint main(void) { return look(&n); }\n' \
			$type $type >prog.c
		${CC:-gcc} -g -O2 -o prog prog.c
		analyse "function f(p) { return @cast(p, \"struct $type\")->v } probe process(\"./prog\").function(\"look\") { println(f(\$p)) }"
		test "$status" != 0 || fail "accepted"
		said "@cast(..., \"struct $type\", \"$PWD/prog\")"
		analyse "function f(p) { return @cast(p, \"struct $type\", \"./prog\")->v } probe process(\"./prog\").function(\"look\") { println(f(\$p)) }"
		accepted
	done
}
on_each check

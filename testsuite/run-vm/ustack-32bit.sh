#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
#! also-on: rt
# Stacks of a program of 32 bits without frame pointers, also where its registers are those of a system call in the
# kernel's vdso, and through a signal handler: the program says which calls led there.
. "$SRCDIR/testsuite/lib/process.sh"

need_32bit
# shellcheck disable=SC2154,SC2086
program prog $m32 -O2 -fomit-frame-pointer <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noipa)) void leaf(int n) { sink += n; getpgid(0); sink++; }
__attribute__((noipa)) void handler(int s) { leaf(s); sink++; }
__attribute__((noipa)) void deep(int n) { volatile char room[40]; room[0] = (char)n; if (n) deep(n - 1); else raise(SIGUSR1); sink += room[0]; }
int main(void)
{
	signal(SIGUSR1, handler);
	deep(2);
	printf("T leaf handler deep deep deep main\nT getpgid leaf handler deep deep deep main\n");
	return 0;
}
END_OF_PROGRAM
for release in $(kernels); do
	session stacks -c ./prog -d ./prog --ldd -e '
	function names:string() {
		for (i = 0; i < 40 && ustack(i); i++) {
			name = usymname(ustack(i) - (i > 0))
			if (name =~ "^(leaf|handler|deep|main|getpgid)$") s .= (s == "" ? "" : " ") . name
		}
		return s
	}
	probe process("./prog").function("leaf") {
		printf("K %s\n", names())
		if (isinstr(sprint_ubacktrace(), "inexact") || isinstr(sprint_ubacktrace(), "truncated")) print_ubacktrace()
	}
	probe syscall.getpgid { if (pid() == target()) printf("K %s\n", names()) }'
	session alone -c ./prog -e 'probe process("./prog").function("leaf") { print_ubacktrace(); exit() }'
	boot
	result stacks
	told_truth
	! grep inexact out || fail "a call that no table told"
	result alone
	printed ' leaf+0x0/.*prog'
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# A program may return with any stack pointer: which call returns is then not known, its return probe is not run, and the
# kernel is fine. Looked for from 8 downwards it was looked for without an end.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int right(int n) { return n + 1; }
__attribute__((naked)) void odd(void) { __asm__("pop %rax; mov $8, %esp; jmp *%rax"); }
int main(void)
{
	right(1);
	if (!fork())
		odd();
	wait(0);
	right(2);
	return 0;
}
END
for release in $(kernels); do
	session odd -c ./prog -e '
	probe process("./prog").function("right").return { println("right ", @entry($n), " ", $return) }
	probe process("./prog").function("odd") { println("odd") }
	probe process("./prog").function("odd").return { println("odd returns ", @entry(tid())) }'
	boot
	result odd
	expect <<-'EXPECTED'
	right 1 2
	odd
	right 2 3
	EXPECTED
done

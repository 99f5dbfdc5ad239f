#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Two return probes of one return: a function that jumps to another, and one that longjmp() left. Until v6.11 the kernel has freed what it
# kept of the first when the second's handler walks the stack, which KASAN (ktapkasan) would see.
. "$SRCDIR/testsuite/lib/process.sh"

program chained -foptimize-sibling-calls <<'END'
#include <setjmp.h>
static volatile int sink;
static jmp_buf back;
__attribute__((noipa)) int inner(int n) { sink += n; return n; }
__attribute__((noipa)) int outer(int n) { return inner(n + 1); }
__attribute__((noipa)) void leaves(int n) { if (n) longjmp(back, 1); sink++; }
__attribute__((noipa)) int caller(int n)
{
	if (!setjmp(back))
		leaves(1);
	n = outer(n);
	sink++;
	return n;
}
int main(void)
{
	for (int i = 0; i < 300; i++)
		caller(i);
	return 0;
}
END

# Functions, whether their caller is in the stack, times.
cat >expected <<'END'
inner 1 300
outer 1 300
END
for release in $(kernels); do
	session chained -c ./chained -e '
global seen
probe process("./chained").function("inner").return, process("./chained").function("outer").return, process("./chained").function("leaves").return {
	seen[ppfunc(), isinstr(sprint_ubacktrace(), "caller+") > 0]++
}
probe end { foreach ([f, known] in seen) printf("%s %d %d\n", f, known, seen[f, known]) }'
	boot
	result chained
	sort out | cmp - expected || { cat out; fail "on $release"; }
done

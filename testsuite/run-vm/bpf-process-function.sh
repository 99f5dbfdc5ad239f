#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Functions, returns, lines and inlined instances of a program, carried by BPF programs: as often and with the values that a module has, and
# as the program says itself. The program is PIE or not.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -fpie -pie <<'END'
#include <stdio.h>
struct point { int x, y; const char *name; unsigned bits : 5; long long far; struct point *next; signed char small[3]; };
int counter = 7;
static short below = -9;
static inline __attribute__((always_inline)) int square(int n) { int r = n * n; __asm__ volatile("" : "+r"(r) : "r"(n)); return r; }
__attribute__((noipa)) long twice(long x, struct point *p) { counter++; below--; return x * 2 + p->x; }
__attribute__((noipa)) int pick(int i, unsigned char c, short s) {
	if (i < 0) return -1;
	if (i > 1) return square(i) + c;
	if (i == 1)
		__asm__ volatile("nop" : : "r"((int)s)); /* LINE */
	return s;
}
__attribute__((noipa)) long fact(long n) { long r = n < 2 ? 1 : fact(n - 1); __asm__ volatile("" : "+r"(r)); return n * r; }
int main(void) {
	struct point q = { 30, -40, "far away", 1, -5000000000, 0, { 4, -5, 6 } }, p = { 3, -4, "origin", 19, 1, &q, { 1, -2, 3 } };
	for (long i = 0; i < 3; i++) {
		p.x = i;
		printf("T twice %ld %d origin 19 -5000000000 -5 %d %d\n", i + 100, -4, counter, below);
		fflush(stdout);
		printf("T = %ld\n", twice(i + 100, &p));
		printf("T pick %ld 200 -300\n", i * 2 - 1);
		if (i == 1) printf("T line -300\n");
		if (i == 2) printf("T square 3\n");
		printf("T pick = %d\n", pick(i * 2 - 1, 200, -300));
	}
	for (int n = 1; n <= 4; n++) { printf("T fact(%d)\n", n); }
	for (int n = 1, f = 1; n <= 4; n++) printf("T fact = %d\n", f *= n);
	fact(4);
	return 3;
}
END
program fixed -fno-pie -no-pie <prog.c
line=$(grep -n '/\* LINE' prog.c | sed 's/:.*//')
sed "s/LINE/$line/" >prog.stp <<'END'
probe process("./prog").function("twice").call {
	printf("K twice %d %d %s %d %d %d %d %d\n", $x, $p->y, user_string($p->name), $p->bits, $p->next->far, $p->next->small[1], $counter, $below)
}
probe process("./prog").function("twice").return { printf("K = %d\n", $return) }
probe process("./prog").function("pick") { printf("K pick %d %d %d\n", $i, $c, $s) }
probe process("./prog").function("pick").return { printf("K pick = %d\n", $return) }
probe process("./prog").statement("pick@*:LINE") { printf("K line %d\n", $s) }
probe process("./prog").function("square").inline { printf("K square %d\n", $n) }
probe process("./prog").function("f?ct") { entered[n++] = $n }
probe process("./prog").function("fact").return { returned[r++] = $return }
probe process("./prog").function("*@prog.c").exported { count[execname(), pp()]++ }
global entered, returned, n, r, count
probe end {
	for (i = n - 1; i >= 0; i--) printf("K fact(%d)\n", entered[i])
	for (i = 0; i < r; i++) printf("K fact = %d\n", returned[i])
	foreach ([e, p] in count+) { printf("%s %d\n", e, count[e, p]) }
}
END
sed 's,\./prog,./fixed,; s,prog\.c,fixed.c,' prog.stp >fixed.stp
for release in $(kernels); do
	for kind in prog fixed; do
		session module_$kind -c ./$kind $kind.stp
		bpf_session bpf_$kind -c ./$kind $kind.stp
	done
	boot
	for kind in prog fixed; do
		result module_$kind
		told_truth
		sed "s/^T .*//" out | grep . >wanted
		result bpf_$kind
		told_truth
		sed "s/^T .*//" out | grep . >got
		cmp wanted got || { diff wanted got; fail "not what the module says on $release"; }
		said 'Child process exited with status 3'
	done
done

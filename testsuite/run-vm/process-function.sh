#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A function of a program: its parameters, what they point at, globals, at the entry and at the return, with recursion
# and a call that is left by longjmp(); the program is PIE or not; its status reaches the loader.
. "$SRCDIR/testsuite/lib/process.sh"

source='
#include <setjmp.h>
#include <stdio.h>
struct point { int x, y; const char *name; unsigned bits : 5; };
int counter = 7;
static jmp_buf out;
__attribute__((noipa)) long twice(long x, struct point *p) { counter++; return x * 2 + p->x; }
__attribute__((noipa)) long fact(long n) { long r = n < 2 ? 1 : fact(n - 1); __asm__ volatile("" : "+r"(r)); return n * r; }
__attribute__((noipa)) void leave(int depth) { if (!depth) longjmp(out, 1); leave(depth - 1); __asm__(""); }
int main(void) {
	struct point p = { 3, -4, "origin", 19 };
	for (long i = 0; i < 2; i++) { p.x = i; twice(i + 100, &p); }
	fact(4);
	if (!setjmp(out)) leave(3);
	fact(2);
	return 3;
}'
script='
probe process("./prog").function("twice") {
	printf("%d %d %s %d %d\n", $x, $p->y, user_string($p->name), $p->bits, $counter)
}
probe process("./prog").function("twice").return { printf("%d = twice(%d, %d) %d\n", $return, $x, @entry($p->x), $counter) }
probe process("./prog").function("fact").return { printf("fact(%d) = %d\n", $n, $return) }
probe process("./prog").function("leave") { n++ }
probe process("./prog").function("leave").return { println("never ", $depth) }
probe end { println(n) }
global n'

echo "$source" | program prog -fpie -pie
echo "$source" | program fixed -fno-pie -no-pie
for release in $(kernels); do
	session pie -c ./prog -e "$script"
	session fixed -c ./fixed -e "$(printf '%s' "$script" | sed s,./prog,./fixed,)"
	boot
	for kind in pie fixed; do
		result $kind
		expect <<-'END'
		100 -4 origin 19 7
		200 = twice(100, 0) 7
		101 -4 origin 19 8
		203 = twice(101, 1) 8
		fact(1) = 1
		fact(2) = 2
		fact(3) = 6
		fact(4) = 24
		fact(1) = 1
		fact(2) = 2
		4
		END
		said 'Child process exited with status 3'
	done
done

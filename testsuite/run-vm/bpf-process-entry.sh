#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Values of the entry at returns, carried by BPF programs: parameters, what they point at, strings, expressions; with recursion, threads, a call
# that is left by longjmp(), a function that ends in a jump to another, and a value that cannot be read; of the kernel's functions too. @var with a file is what it is at the return.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -pthread <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
struct point { int x, y; const char *name; };
int counter = 7;
static jmp_buf out;
__attribute__((noipa)) long twice(long x, struct point *p) { counter++; p->name = "later"; return x * 2 + p->x; }
__attribute__((noipa)) long fact(long n) { long r = n < 2 ? 1 : fact(n - 1); __asm__ volatile("" : "+r"(r)); return n * r; }
__attribute__((noipa)) int leave(int depth) { int r; if (!depth) longjmp(out, 1); r = leave(depth - 1); __asm__("" : "+r"(r)); return r + 1; }
__attribute__((noipa)) int fails(struct point *p) { return p ? p->y : 0; }
__attribute__((noipa)) int jumps(int n, const char *s) { static struct point p; p = (struct point){ 0, n, s }; return fails(n > 1 ? &p : NULL); }
__attribute__((noipa)) int in_thread(int n) { usleep(1000); return n * n; }
static void *thread(void *p) { for (int i = 0; i < 50; i++) in_thread(*(int *)p + i); return NULL; }
int main(void) {
	struct point p = { 3, -4, "origin" };
	pthread_t t[4];
	int number[4];
	for (long i = 0; i < 2; i++) {
		p.x = (int)i;
		p.name = i ? "second" : "first";
		printf("T %ld = twice(%ld, %d %s) %d %d\n", 200 + 3 * i, 100 + i, p.y, p.name, counter, counter + 1);
		twice(i + 100, &p);
	}
	fact(4);
	printf("T fact(1) = 1\nT fact(2) = 2\nT fact(3) = 6\nT fact(4) = 24\n");
	if (!setjmp(out)) leave(3);
	fails(&p);
	fails(NULL);
	printf("T fails -4\nT fails not\n");
	for (int i = 1; i < 4; i++) {
		if (i == 1) printf("T fails not\n");
		else printf("T fails %d\n", i);
		printf("T jumps(%d, %s) = %d\n", i, i & 1 ? "odd" : "even", jumps(i, i & 1 ? "odd" : "even"));
	}
	for (int i = 0; i < 4; i++) { number[i] = 1000 * i; pthread_create(&t[i], NULL, thread, &number[i]); }
	for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
	for (int i = 0; i < 3; i++) {
		char name[80];
		sprintf(name, "/tmp/a-file-that-is-not-there-%d", i);
		printf("T open %s -2\n", name);
		open(name, O_RDONLY);
	}
	printf("T threads 200 200\n");
	return 0;
}
END
cat >prog.stp <<'END'
probe process("./prog").function("twice").return {
	printf("K %d = twice(%d, %d %s) %d %d\n", $return, $x, $p->y, @entry(user_string($p->name)), @entry($counter), @var("counter@prog.c"))
}
probe process("./prog").function("fact").return { printf("K fact(%d) = %d\n", $n, $return) }
probe process("./prog").function("leave").return { println("never ", $depth) }
probe process("./prog").function("fails").return { try { printf("K fails %d\n", $p->y) } catch { println("K fails not") } }
probe process("./prog").function("jumps").return { printf("K jumps(%d, %s) = %d\n", $n, user_string($s), $return) }
probe process("./prog").function("in_thread").return { if ($return == $n * $n && @entry(tid()) == tid()) right++; calls++ }
probe kernel.function("do_sys_openat2").return {
	if (execname() == "prog" && $dfd == -100 && $return == -2) printf("K open %s %d\n", user_string($filename), $return)
}
probe end { printf("K threads %d %d\n", calls, right) }
global right, calls
END
for release in $(kernels); do
	bpf_session entry -c ./prog prog.stp
	boot
	result entry
	told_truth
done

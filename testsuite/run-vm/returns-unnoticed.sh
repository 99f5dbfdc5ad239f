#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs whose functions are left by exceptions, longjmp() and pthread_cancel(), or run on stacks of their own, print the same while the
# returns of all of their functions are probed.
. "$SRCDIR/testsuite/lib/process.sh"
cat >thrown.cc <<'END'
#include <cstdio>
#define NI __attribute__((noinline))
struct Guard { const char *name; NI ~Guard() { printf("T destructor %s\n", name); } };
NI int low(int k) { asm volatile("" :: "r"(k)); if (k > 1) throw k; return k; }
NI int middle(int k) { Guard g{"middle"}; return low(k) + 1; }
NI int top(int k) { try { return middle(k); } catch (int e) { printf("T caught %d\n", e); return -e; } }
int main() { printf("T %d\n", top(1)); printf("T %d\n", top(2)); puts("T end"); }
END
cat >left.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>
#define NI __attribute__((noinline))
static volatile int sleeps;
static void cleanup(void *p) { printf("T cleanup %s\n", (char *)p); }
NI int leave(int how) { __asm__ volatile("" :: "r"(how)); if (how) pthread_exit((void *)5); return 1; }
static void *ends(void *a) { pthread_cleanup_push(cleanup, "exit"); leave(1); pthread_cleanup_pop(0); return 0; }
NI int rest(int s) { sleeps = 1; pause(); return s; }
static void *cancelled(void *a) { pthread_cleanup_push(cleanup, "cancel"); rest(1); pthread_cleanup_pop(0); return 0; }
static jmp_buf back;
NI int jumper(int d) { __asm__ volatile("" :: "r"(d)); if (d == 0) longjmp(back, 7); return jumper(d - 1) + 1; }
NI int plain(int d) { __asm__ volatile("" :: "r"(d)); return d + 1; }
static ucontext_t at_main, a, b;
static char stack_a[65536], stack_b[65536];
NI int work(int id, ucontext_t *me) { __asm__ volatile("" :: "r"(id)); swapcontext(me, &at_main); return id * 10; }
static void first(void) { int r = work(1, &a); printf("T first %d\n", r); swapcontext(&a, &at_main); }
static void second(void) { int r = work(2, &b); printf("T second %d\n", r); swapcontext(&b, &at_main); }
static void start(ucontext_t *c, char *stack, void (*fn)(void))
{
	getcontext(c);
	c->uc_stack.ss_sp = stack;
	c->uc_stack.ss_size = 65536;
	makecontext(c, fn, 0);
}
int main(void)
{
	pthread_t t;
	void *r;
	int j;
	setvbuf(stdout, 0, _IOLBF, 0);
	pthread_create(&t, 0, ends, 0);
	pthread_join(t, &r);
	printf("T joined %ld\n", (long)r);
	pthread_create(&t, 0, cancelled, 0);
	while (!sleeps) usleep(1000);
	pthread_cancel(t);
	pthread_join(t, &r);
	printf("T cancelled %d\n", r == PTHREAD_CANCELED);
	j = setjmp(back);
	if (!j) jumper(3);
	printf("T jumped %d %d\n", j, plain(j));
	start(&a, stack_a, first);
	start(&b, stack_b, second);
	for (int i = 0; i < 2; i++) { swapcontext(&at_main, &a); swapcontext(&at_main, &b); }
	puts("T end");
	return 0;
}
END
g++ -g -O2 -o thrown thrown.cc && ${CC:-gcc} -g -O2 -w -pthread -o left left.c || fail "cannot compile"
./thrown >thrown.alone && ./left >left.alone || fail "the programs end badly by themselves"

# Exceptions reach their handlers; the values of the entry are those of the call that returns, after one that did not.
cat >thrown.stp <<'END'
probe process("./thrown").function("low").return, process("./thrown").function("middle").return, process("./thrown").function("top").return {
	printf("K %s(%d) %s\n", ppfunc(), @entry($k), usymname(uaddr()))
}
END
cat >left.stp <<'END'
probe process("./left").function("leave").return, process("./left").function("rest").return, process("./left").function("jumper").return,
	process("./left").function("plain").return, process("./left").function("work").return {
	printf("K %s = %d\n", ppfunc(), $return)
}
END
for release in $(kernels); do
	session thrown thrown.stp -c ./thrown
	session left left.stp -c ./left
	boot
	for name in thrown left; do
		result $name
		grep '^T ' out | cmp -s - $name.alone || { grep '^T ' out | diff - $name.alone; fail "$name notices that it is probed on $release"; }
		grep '^K ' out >$name.returns
	done
	printf '%s\n' 'K low(1) middle(int)' 'K middle(1) top(int)' 'K top(1) main' 'K top(2) main' | cmp -s - thrown.returns ||
		fail "returns on $release: $(cat thrown.returns)"
	printf '%s\n' 'K plain = 8' 'K work = 10' 'K work = 20' | cmp -s - left.returns || fail "returns on $release: $(cat left.returns)"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A program that was built anew since the script was compiled is not probed, and that is said; one that is gone too. One that
# unmaps the probed code, forks, or dies in it does no harm. An instruction that uprobes refuse is not probed,
# and the program runs as without.
. "$SRCDIR/testsuite/lib/process.sh"
program lib.so -shared -fPIC <<'END'
__attribute__((noipa)) int called(int x) { return x + 1; }
END
program play -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	int status;
	for (int i = 0; i < 20; i++) {
		void *lib = dlopen("./lib.so", RTLD_NOW);
		int (*called)(int) = lib ? (int (*)(int))dlsym(lib, "called") : NULL;
		if (!called || called(i) != i + 1) return 2;
		if (!fork()) { called(100); if (i % 2) _exit(0); __builtin_trap(); }
		wait(&status);
		dlclose(lib);

	}
	return 0;
}
END
program trap <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __aarch64__
#define TRAP "brk #1"
#define SKIP(context) ((context)->uc_mcontext.pc += 4)
#else
#define TRAP "int3"
#define SKIP(context) ((void)(context))
#endif
__asm__(".globl odd\n.type odd,%function\nodd: " TRAP "\nret\n.size odd,.-odd\n");
void odd(void);
static volatile int traps;
static void on_trap(int n, siginfo_t *info, void *context) { traps++; SKIP((ucontext_t *)context); }
int main(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	sigaction(SIGTRAP, &action, NULL);
	odd();
	return traps != 1;
}
END
echo 'int f(int x) { return x * 77 + 3; } int main(void) { return 0; }' | program first
cp first second
cp first gone
for release in $(kernels); do
	session second -c ./second -e 'probe process("./second").function("f") { println("never") }'
	session gone -c ./first -e 'probe process("./gone").function("f") { println("never") }'
	session play -c ./play -e 'global n, r
		probe process("./lib.so").function("called") { n[$x >= 100]++ }
		probe process("./lib.so").function("called").return { r[$return > 100]++ }
		probe end { println(n[0], " ", n[1], " ", r[0], " ", r[1]) }'
	session trap -c ./trap -e 'probe process("./trap").function("odd") { println("never") }'
	echo 'int g(int x) { return x - 3; } int f(int x) { return x + 3; } int main(void) { return 0; }' | program second
	rm gone
	boot
	result second
	expect </dev/null
	said 'another than the script was compiled for'
	result gone
	expect </dev/null
	said 'the file is not there'
	result play
	expect <<-'END'
	20 20 20 20
	END
	result trap
	expect </dev/null
	! grep 'Child process exited' err || fail "a program was damaged"
	cp first second
	cp first gone
done

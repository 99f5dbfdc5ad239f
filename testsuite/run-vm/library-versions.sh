#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A name of a library is all versions of the function, also those that debugging information calls something else. Of an IFUNC it is the
# functions that the resolver can choose, and a message says so: memcpy() and strlen() of libc, and one whose choice is known here.
. "$SRCDIR/testsuite/lib/process.sh"

test "$machine" = x86_64 || { echo "resolvers are read on x86-64 only"; exit 77; }
printf 'ONE { global: get; chosen; };\nTWO { } ONE;\n' >map
program libver.so -shared -fPIC -Wl,--version-script=map <<'END'
__asm__(".symver get_old,get@ONE");
__asm__(".symver get,get@@TWO");
__attribute__((noipa)) int get_old(int n) { return n + 1; }
__attribute__((noipa)) int get(int n) { return n + 2; }
static int plain(int n) { return n * 3; }
static int fast(int n) { return n * 5; }
static int (*choose(void))(int) { __builtin_cpu_init(); return __builtin_cpu_supports("sse2") ? fast : plain; }
int chosen(int n) __attribute__((ifunc("choose")));
END
program prog -Wl,--no-as-needed ./libver.so <<'END'
#include <stdio.h>
#include <string.h>
int get(int n), get_old(int n), chosen(int n);
__asm__(".symver get_old,get@ONE");
static char from[8000], to[8000];
int main(void) {
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;
	size_t (*volatile length)(const char *) = strlen;
	int sum = 0;
	memset(from, 'x', 7001);
	for (int i = 0; i < 5; i++) { copy(to, from, 7919); sum += get(i); }
	for (int i = 0; i < 4; i++) { sum += (int)length(from); sum += chosen(i); }
	for (int i = 0; i < 3; i++) sum += get_old(i);
	printf("T memcpy 5 strlen 4 get 8 chosen 4\n");
	return sum == 0;
}
END
cat >script.stp <<'END'
global n
probe process("./prog").library("libc.so.6").function("memcpy") { if (pid() == target() && ulong_arg(3) == 7919) n["memcpy"]++ }
probe process("./prog").library("libc.so.6").function("strlen").return {
	if (pid() == target() && returnval() == 7001) n["strlen"]++
}
probe process("./libver.so").function("get") { n["get"]++ }
probe process("./libver.so").function("chosen") { n["chosen"]++ }
probe end { printf("K memcpy %d strlen %d get %d chosen %d\n", n["memcpy"], n["strlen"], n["get"], n["chosen"]) }
END
for release in $(kernels); do
	session versions -c 'env LD_LIBRARY_PATH=. ./prog' script.stp
	test "$(grep -c 'warning: .*(IFUNC): .*\[ifunc\]' versions.build)" = 3 || fail "what an IFUNC is, is not said: $(cat versions.build)"
	: >versions.build
	boot
	result versions
	told_truth
done
# A resolver that loads no address.
program libnone.so -shared -fPIC <<'END'
extern int (*table[])(int);
static int (*choose(void))(int) { return table[0]; }
int chosen(int n) __attribute__((ifunc("choose")));
END
ktap -p2 -e 'probe process("./libnone.so").function("chosen") { }'
refused ifunc
said '.plt("chosen")'

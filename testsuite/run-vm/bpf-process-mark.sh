#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Marks, carried by BPF programs: arguments in registers, constants, memory with an index, symbols, of every width and sign; semaphores are
# raised while the session runs and let go after it; names and providers by wildcard; stubs of the PLT.
. "$SRCDIR/testsuite/lib/process.sh"

echo '#include <sys/sdt.h>' | ${CC:-gcc} -E - >/dev/null 2>&1 || { echo "systemtap-sdt-dev is not installed"; exit 77; }
program prog <<'END'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <stdio.h>
#include <unistd.h>
#define SEMAPHORE(name) unsigned short prov_##name##_semaphore __attribute__((section(".probes")))
SEMAPHORE(args); SEMAPHORE(many); SEMAPHORE(all); SEMAPHORE(on);
int table[4] = { 10, -20, 30, 40 };
signed char sc = -5; unsigned char uc = 250; short ss = -300; unsigned short us = 65000;
struct row { long a; int b[4]; } rows[3] = { { 1, { 2, 3, 4, 5 } }, { -1, { -2, -3, -4, -5 } } };
__attribute__((noipa)) void work(long i, int n, const char *s) {
	STAP_PROBE3(prov, args, i, n, s);
	STAP_PROBE6(prov, many, sc, uc, ss, us, table[i], rows[i].b[n & 3]);
	STAP_PROBE12(prov, all, 1, -2, 3L, 4u, 5ULL, (signed char)-6, (short)7, i, n, s, (long)table, 12);
	if (*(volatile unsigned short *)&prov_on_semaphore) STAP_PROBE1(prov, on, i);
}
int main(int argc, char **argv) {
	if (argc > 1) {
		printf("%d\n", *(volatile unsigned short *)&prov_on_semaphore);
		return 0;
	}
	for (long i = 0; i < 2; i++) work(i, -(int)i, "text");
	fprintf(stderr, "semaphores %d %d\n", prov_on_semaphore, prov_many_semaphore);
	return 0;
}
END
for release in $(kernels); do
	bpf_session marks -c ./prog -e '
	probe process("./prog").mark("args") { printf("args %d %d %s %s %d %d\n", $arg1, $arg2, user_string($arg3), $$name, $i, $table[1]) }
	probe process("./prog").mark("man?") { printf("many %d %d %d %d %d %d\n", $arg1, $arg2, $arg3, $arg4, $arg5, $arg6) }
	probe process("./prog").mark("all") {
		printf("all %d %d %d %d %d %d %d %d %d %s %d %d\n", $arg1, $arg2, $arg3, $arg4, $arg5, $arg6, $arg7, $arg8, $arg9,
		       user_string($arg10), @cast($arg11, "int", "./prog")[1], $arg12)
	}
	probe process("./prog").provider("pro*").mark("on") { printf("on %d %s %d\n", $arg1, $$provider, @defined($arg2)) }
	probe process("./prog").plt("fprintf") { println($$name, " called") }
	probe process("./prog").plt("fprintf").return { println($$name, " done") }'
	# Nobody listens to `on`: its semaphore stays 0.
	bpf_session one -c ./prog -e 'probe process("./prog").mark("many") { n++ } probe end { println(n) } global n'
	in_guest './prog after >$RESULTS/after'
	boot
	result marks
	expect <<-'END'
	args 0 0 text args 0 -20
	many -5 250 -300 65000 10 2
	all 1 -2 3 4 5 -6 7 0 0 text -20 12
	on 0 prov 0
	args 1 -1 text args 1 -20
	many -5 250 -300 65000 -20 -5
	all 1 -2 3 4 5 -6 7 1 -1 text -20 12
	on 1 prov 0
	fprintf called
	fprintf done
	END
	said 'semaphores 1 1'
	result one
	printed '^2$'
	said 'semaphores 0 1'
	test "$(cat results/after)" = 0 || fail "a semaphore is up after the sessions"
done

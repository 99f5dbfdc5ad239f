#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that aligns its stack: gcc counts its variables from a register that is set up later, so at the first instruction
# there are parameters and nothing else.
. "$SRCDIR/testsuite/lib/sh.sh"
[ "$(uname -m)" = x86_64 ] || exit 77
cat >a.c <<'END'
__attribute__((noipa)) void use(void *a, void *b) { __asm__ volatile("" :: "r"(a), "r"(b) : "memory"); }
__attribute__((noipa)) int f(int n, long m)
{
	char buffer[128] __attribute__((aligned(64)));
	int local = n + 1;

	use(buffer, &local);
	use(&m, buffer);
	return buffer[3] + local;
}
int main(int argc, char **argv) { return f(argc, 3); }
END
${CC:-gcc} -g -O2 -o a a.c || fail "cannot compile"
ktap -L 'process("./a").function("f")'
accepted
printed 'function("f@a.c:2") $n:int $m:long int$'
ktap -p3 -e 'probe process("./a").function("f") { println($n, $m) }'
accepted
printed 'kt_register(c, 5)' # rdi
printed 'kt_register(c, 4)' # rsi
for local in local buffer; do
	ktap -p3 -e "probe process(\"./a\").function(\"f\") { println(&\$$local) }"
	refused optimized-out
	said 'has no value yet'
done

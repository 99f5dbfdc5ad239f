#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a handler prints in pieces is not cut by what the probed program prints behind it to the same pipe.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END_PROG'
#include <stdio.h>
__attribute__((noipa)) void work(int n) { asm volatile("" :: "r"(n)); }
int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < 200; i++) {
		work(i);
		printf("T %d.%d.%d.%d.\n", i, i, i, i);
	}
}
END_PROG
cat >script.stp <<'END_SCRIPT'
function piece(n) { s = 0; for (i = 0; i < 5000; i++) s += i; printf("%d%s", n, s ? "." : "") }
probe process("./prog").function("work") { print("K "); for (k = 0; k < 4; k++) piece($n); println("") }
END_SCRIPT
for release in $(kernels); do
	in_vm -DMAXACTION=1000000 -c ./prog script.stp
	test "$(grep -cE '^(T|K) ([0-9]+\.)\2\2\2$' out)" = 400 || fail "lines are cut on $release: $(grep -vE '^(T|K) ([0-9]+\.)\2\2\2$' out)"
	told_truth
done

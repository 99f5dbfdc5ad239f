#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A label is hit on every way that leads to it: by falling through, by goto forward and back, by a computed goto, and in each inlined
# copy of its function, with the variables of that moment. The program says when it passes.
. "$SRCDIR/testsuite/lib/process.sh"

cat >source.c <<'END'
#include <stdio.h>
static volatile int sink, limit = 3;
__attribute__((noipa)) int retries(int n)
{
	int tries = 0;
again:
	printf("T again %d %d\n", n, tries);
	if (tries++ < n)
		goto again;
	return tries;
}
__attribute__((noipa)) int leaves(int n)
{
	int state = 1;
	if (n < 0)
		goto out;
	state = 2;
	if (n > limit) {
		sink++;
		goto out;
	}
	sink += n;
	state = 3;
out:
	printf("T out %d %d\n", n, state);
	return state;
}
__attribute__((noipa)) int jumps(int n)
{
	void *to[] = { &&even, &&odd };
	goto *to[n & 1];
even:
	printf("T even %d\n", n);
odd:
	printf("T odd %d\n", n);
	return n;
}
static inline __attribute__((always_inline)) int copied(int n)
{
	if (n > limit)
		goto done;
	sink += n;
done:
	printf("T done %d\n", n);
	return n;
}
__attribute__((noipa)) int first(int n) { return copied(n) + 1; }
__attribute__((noipa)) int second(int n) { return copied(n * 2) + copied(n * 3); }
int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int n = -2; n < 6; n++) {
		retries(n);
		leaves(n);
		jumps(n);
		first(n);
		second(n);
	}
	return 0;
}
END
script='
probe process(@1).function("retries").label("again") { printf("K again %d %d\n", $n, $tries) }
probe process(@1).function("leaves").label("o?t") { printf("K out %d %d\n", $n, $state) }
probe process(@1).function("jumps").label("*") {
	printf("K %s %d\n", pnlabel(), $n)
}
probe process(@1).function("copied").label("done") { printf("K done %d\n", $n) }'
program O0 -O0 <source.c
program O1 -O1 <source.c
# With its blocks reordered, gcc copies what follows a label, and DWARF describes one of the copies.
program O2 -O2 -fno-reorder-blocks <source.c
for release in $(kernels); do
	for level in O0 O1 O2; do
		session $level -c ./$level -e "$script" "$work/$level"
	done
	boot
	for level in O0 O1 O2; do
		result $level
		told_truth
	done
done

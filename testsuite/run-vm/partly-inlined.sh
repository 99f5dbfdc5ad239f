#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: one
# A call of a function whose beginning was inlined is one hit, also where it goes on in NAME.part.0; the part alone is a hit of its own.
. "$SRCDIR/testsuite/lib/process.sh"

${CC:-gcc} -g -O2 -o prog "$SRCDIR/testsuite/lib/partly-inlined.c" || fail "cannot compile"
nm prog | grep -q ' put\.part\.0$' || { echo "this compiler does not inline parts of functions"; exit 77; }
cat >script.stp <<'END2'
global calls, parts, adds, below
probe process("./prog").function("put") { calls++ }
probe process("./prog").function("put.part.0") { parts++ }
probe process("./prog").function("add") { adds++ }
probe process("./prog").function("two").callees(2) { below[ppfunc()]++ }
probe end { println(calls, " ", parts, " ", adds, " ", below["put"], " ", below["add"]) }
END2
for release in $(kernels); do
	session partly -c ./prog script.stp ./prog
	boot
	result partly
	printf '7 3 24 3 3\n' | expect
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A call of a function whose beginning was inlined is one hit, also where it goes on in NAME.part.0 or where the rest was inlined again;
# the part alone is a hit of its own. Recursion that was inlined is calls.
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
# rest PROGRAM: a script that counts the calls that the program counts.
rest()
{
	cat <<END2
global n
probe process("./$1").function("put") { n["put"]++ }
probe process("./$1").function("depth") { n["depth"]++ }
probe process("./$1").function("odd_end") { n["odd"]++ }
probe process("./$1").function("even_end") { n["even"]++ }
probe end { printf("K put %d depth %d odd %d even %d\n", n["put"], n["depth"], n["odd"], n["even"]) }
END2
}

for flags in -O2 -O3 -Os; do
	${CC:-gcc} -g $flags -o "rest$flags" "$SRCDIR/testsuite/lib/rest-inlined.c" || fail "cannot compile with $flags"
	rest "rest$flags" >"rest$flags.stp"
done
for release in $(kernels); do
	session partly -c ./prog script.stp ./prog
	session rest_o2 -c ./rest-O2 rest-O2.stp
	session rest_o3 -c ./rest-O3 rest-O3.stp
	session rest_os -c ./rest-Os rest-Os.stp
	boot
	result partly
	printf '7 3 24 3 3\n' | expect
	for name in rest_o2 rest_o3 rest_os; do
		result "$name"
		told_truth
	done
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call of an inlined function is one hit where compilers unroll, peel, copy and move it: gdb's breakpoints at the places of ktap are hit as
# often as the program counts calls.
. "$SRCDIR/testsuite/lib/sh.sh"

command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

# hits PROGRAM NAMES COMPILER...: compares for each function.
hits()
{
	program=$1 names=$2
	shift 2
	"$@" -g -w -no-pie -o prog "$SRCDIR/testsuite/lib/$program.c" || fail "cannot compile"
	for name in $names; do
		"$KTAP" resolve --json "process(\"./prog\").function(\"$name\")" >places || fail "$*: no places of $name()"
		sed -n 's/.*"address":\([0-9]*\),.*/break *\1/p' places >commands
		n=$(wc -l <commands)
		# gdb numbers breakpoints from 1.
		seq 1 "$n" | sed 's/.*/ignore & 100000/' >>commands
		gdb -q -batch -ex 'set debuginfod enabled off' -x commands -ex run -ex 'info breakpoints' ./prog >out 2>&1
		want=$(sed -n "s/^$name \([0-9]*\)$/\1/p" out)
		got=$(sed -n 's/.*already hit \([0-9]*\) time.*/\1/p' out | awk '{ n += $1 } END { print n + 0 }')
		test "$want" || fail "$*: the program does not end: $(cat out)"
		test "$got" = "$want" || fail "$*: $name() is called $want times, and $got times at its $n places: $(cat out)"
	done
}

copied() { hits inlined-copies 'odd_sum shifted chosen' "$@"; }
moved() { hits inlined-moved 'indexed threaded marked shared addressed late' "$@"; }

copied gcc -O3
copied gcc -O2
copied gcc -Os
copied gcc -O3 -flto
moved gcc -O2
moved gcc -O3
if command -v clang >/dev/null; then
	copied clang -O2
	copied clang -O3
	copied clang -Os
	moved clang -O2
	moved clang -O3 -fPIC
fi
exit 0

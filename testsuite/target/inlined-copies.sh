#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call of an inlined function is one hit where compilers unroll, peel, copy and move it: gdb's breakpoints at the places of ktap are hit as
# often as the program counts calls.
. "$SRCDIR/testsuite/lib/sh.sh"

command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

# hits NAME POINT: compares the program's count of NAME with that at the places of POINT.
hits()
{
	"$KTAP" resolve --json "process(\"./prog\").function(\"$2\")" >places || fail "$compiler: no places of $1()"
	sed -n 's/.*"address":\([0-9]*\),.*/break *\1/p' places >commands
	n=$(wc -l <commands)
	# gdb numbers breakpoints from 1.
	seq 1 "$n" | sed 's/.*/ignore & 100000/' >>commands
	gdb -q -batch -ex 'set debuginfod enabled off' -x commands -ex run -ex 'info breakpoints' ./prog >out 2>&1
	want=$(sed -n "s/^$1 \([0-9]*\)$/\1/p" out)
	got=$(sed -n 's/.*already hit \([0-9]*\) time.*/\1/p' out | awk '{ n += $1 } END { print n + 0 }')
	test "$want" || fail "$compiler: the program does not end: $(cat out)"
	test "$got" = "$want" || fail "$compiler: $1() is called $want times, and $got times at its $n places: $(cat out)"
}

# compiled PROGRAM NAMES COMPILER...: compares for each function.
compiled()
{
	program=$1 names=$2
	shift 2
	compiler=$*
	"$@" -g -w -no-pie -o prog "$SRCDIR/testsuite/lib/$program.c" || fail "cannot compile"
	for name in $names; do
		hits "$name" "$name"
	done
}

copied() { compiled inlined-copies 'odd_sum shifted chosen' "$@"; }
moved() { compiled inlined-moved 'indexed threaded marked shared addressed late guarded' "$@"; }

late() { compiled inlined-late 'joined looped summed stored' "$@"; }

copied gcc -O3
copied gcc -O2
copied gcc -Os
copied gcc -O3 -flto
moved gcc -O2
moved gcc -O3
late gcc -O2
late gcc -O2 -fPIC
late gcc -O2 -flto
if command -v clang >/dev/null; then
	copied clang -O2
	copied clang -O3
	copied clang -Os
	moved clang -O2
	moved clang -O3 -fPIC
fi
if command -v rustc >/dev/null; then
	for flags in opt-level=1 'opt-level=s -C codegen-units=1'; do
		compiler="rustc -C $flags"
		# shellcheck disable=SC2086 # they are words
		rustc -g -C $flags -C relocation-model=static -o prog "$SRCDIR/testsuite/lib/inlined-calls.rs" || fail "cannot compile"
		hits method method
		hits generic generic
		hits plain plain
		hits looped looped
		hits closure '{closure*}@inlined-calls.rs'
	done
	for flags in 'opt-level=2 -C codegen-units=1' opt-level=2; do
		compiler="rustc -C $flags"
		# shellcheck disable=SC2086
		rustc -g -C $flags -C relocation-model=static -o prog "$SRCDIR/testsuite/lib/inlined-moved.rs" || fail "cannot compile"
		hits stored stored
		hits chosen chosen
	done
fi
exit 0

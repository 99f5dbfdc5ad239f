#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Recursion in 100 threads at once: every entry has its return, with the values of its own entry, or is counted as missed.
. "$SRCDIR/testsuite/lib/truth.sh"

for release in $(kernels); do
	build "$PWD/$release"
	watch threads "$PWD/$release/ktap_truth.ko" truth-threads.stp 100
	boot
	watched threads
	# 100 threads, 20 calls, 10 deep.
	printed '^entries 20000 all 20000 agree 20000 few [0-9]* few-agree [0-9]*$'
	few=$(sed 's/.* few \([0-9]*\) .*/\1/' out)
	printed "few $few few-agree $few\$"
	missed=$(sed -n 's/.*missed kretprobe.*: \([0-9]*\)$/\1/p' err)
	test $((few + ${missed:-0})) = 20000 || fail "$release: $few returns and ${missed:-0} missed are not 20000"
	test "$few" -ge 2 || fail "$release: no return at all"
done

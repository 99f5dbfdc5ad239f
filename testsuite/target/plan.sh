#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -p2 shows what handlers may do with each global without waiting for each other, and why.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'global set, hits, seen, last, ring%[3], mixed
function add() { mixed++ }
probe begin { set = 3; add() }
probe kernel.trace("sched_switch") { hits[cpu()]++; seen <<< set; if (set) last = pid(); ring[cpu()]++; add() }
probe kernel.trace("sched_wakeup") { println(last) }
probe timer.s(1) {
	foreach (c in hits) println(c, hits[c])
	println(@count(seen))
	foreach (r in ring) println(r)
	println(mixed)
}'
	accepted
	printed '^set:long  /\* read-only: no lock, only begin, end and error write it \*/$'
	printed '^hits:long \[long\]  /\* counter: per CPU, no lock \*/$'
	printed '^seen:stats  /\* counter: per CPU, no lock \*/$'
	printed '^last:long  /\* locked: kernel\.trace("sched_switch") assigns it \*/$'
	printed '^ring%\[3\]:long \[long\]  /\* locked: elements that wrap have one age for all CPUs \*/$'
	printed '^mixed:long  /\* locked: add() is called both by probes that only add and by others \*/$'
}
on_each check

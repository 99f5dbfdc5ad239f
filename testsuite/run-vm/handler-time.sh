#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A handler whose statements take long ends after MAXTIME, also where its statements are few, or one. In a task of ours it lets
# interrupts in between statements: the clock of a machine with one CPU goes on.
. "$SRCDIR/testsuite/lib/process.sh"

options="--debuginfo=btf -DMAXSTRINGLEN=8192 -DMAXACTION=2000000000"
many=$(printf 'isinstr(s, t) + %.0s' $(seq 900))0
script='global n, s, t, from
probe begin {
	a = "aaaaaaaaaaaaaaaa"
	a = a . a . a . a . a . a . a . a . a . a . a . a . a . a . a . a
	a = a . a . a . a . a . a . a . a
	t = a . "b"
	s = a . a
}
probe error { println("ended in time ", ktime_get_ns() - from < 20000000000) }'
# ended SESSION LINES: a handler took too long, and the error probes printed LINES.
ended()
{
	test "$(cat "results/$1.out")" = "$2" &&
		grep -q '^ERROR: MAXTIME exceeded; raise -DMAXTIME near .* \[max-time\]$' "results/$1.err" ||
		fail "$release: $1: $(cat "results/$1.out" "results/$1.err" results/guest)"
}

vm_options='-s 1'
for release in $(kernels); do
	session interrupt $options -DMAXTIME=300 -e "$script"'
probe timer.ms(10) { from = ktime_get_ns(); while (1) try { n += isinstr(s, t) } catch { println("caught") } }'
	session task $options -DMAXTIME=300 -e "$script"'
global j
probe error { println("let interrupts in ", jiffies() > j) }
probe begin(1) { from = ktime_get_ns(); j = jiffies(); while (1) n += isinstr(s, t) }'
	session straight $options -DMAXTIME=1 -e "$script"'
probe timer.ms(10) { from = ktime_get_ns(); n = '"$many"'; println("not reached") }'
	session groups $options -DMAXTIME=1 -e "$script"'
probe timer.ms(10) { from = ktime_get_ns(); n = s =~ "(a|b)*c?(a|b)*$"; println("not reached ", matched(1)) }'
	boot
	ended interrupt 'ended in time 1'
	ended straight 'ended in time 1'
	ended groups 'ended in time 1'
	ended task 'ended in time 1
let interrupts in 1'
done

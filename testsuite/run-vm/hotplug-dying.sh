#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A handler ends the session on a CPU that goes down, where an interrupt that is asked for is lost, and on PREEMPT_RT the thread that would
# wake the reader is parked: the session ends while the CPU is off.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	in_guest_silent <<'END'
cat >/tmp/round <<'ROUND'
cpu=/sys/devices/system/cpu/cpu1/online
"$KTAPRUN" kt_$1.ko >/tmp/kt-out 2>&1 & session=$!
until grep -qs running /sys/module/kt_$1/parameters/ktap_state; do sleep 0.1; kill -0 $session || { cat /tmp/kt-out; exit 1; }; done
echo 0 >$cpu
wait $session || echo "$1: the session failed: $?"
[ "$(cat /tmp/kt-out)" = begun ] || cat /tmp/kt-out
echo 1 >$cpu
ROUND
END
	for place in sched_cpu_wait_empty sched_cpu_dying; do
		module $place --debuginfo=btf -e "
probe begin { println(\"begun\") }
probe kernel.function(\"$place\") { if (cpu() == 1) exit() }"
		in_guest_silent <<END
KTAPRUN="\$KTAPRUN" timeout -s KILL 90 sh /tmp/round $place || echo "$place: the session does not end"
END
	done
	boot
	silent
done
exit 0

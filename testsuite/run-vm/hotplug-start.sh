#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Sessions with events of every CPU start and end while CPU 1 goes off and on without a pause: none of them and no change
# of the CPU waits for ever, and the kernel has nothing to complain of.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module start --debuginfo=btf -e '
global n
probe perf.sw.context_switches.sample(1) { n <<< 1 }
probe perf.sw.page_faults.sample(1), perf.sw.cpu_migrations.sample(1), perf.sw.page_faults_min.sample(1) { n <<< 2 }
probe perf.sw.alignment_faults.sample(1), perf.sw.emulation_faults.sample(1), perf.sw.cpu_clock.sample(1000000) { n <<< 3 }
probe timer.profile, timer.ms(10) { n <<< 4 }
probe timer.ms(300) { if (@count(n)) exit() }'
	in_guest_silent <<'END'
cpu=/sys/devices/system/cpu/cpu1/online
(
	while [ ! -e /tmp/enough ]; do
		echo 0 >$cpu
		echo 1 >$cpu
		echo >>/tmp/rounds
	done
) & toggler=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$KTAPRUN" kt_start.ko >/tmp/kt-out 2>&1 || echo "session $i failed: $(cat /tmp/kt-out)"
	[ -s /tmp/kt-out ] && echo "session $i says: $(cat /tmp/kt-out)"
done
until [ "$(wc -l </tmp/rounds)" -ge 10 ]; do sleep 0.1; done
echo >/tmp/enough
wait $toggler
END
	boot
	silent
done
exit 0

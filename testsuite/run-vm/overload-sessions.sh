#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions that are each within the overload guard's bound and together above it: the newest ends, with a message that names the others,
# and the older ones go on. A session that is quiet opens no file to look for others.
. "$SRCDIR/testsuite/lib/process.sh"

# The handler works on CPU 0 for two fifths of the time since it ended, and so takes 29 % of it, also where ticks come late.
script='global n, ended probe timer.profile {
		if (cpu() == 0) {
			t = gettimeofday_us()
			work = (t - ended < 30000 ? t - ended : 30000) * 2 / 5
			while (gettimeofday_us() - t < work) n++
			ended = gettimeofday_us()
		}
	}
	probe begin { println("begun") } probe end { println("end") }'

cat >sessions.sh <<'END_OF_GUEST'
start() {
	"$KTAPRUN" kt_load.ko >$RESULTS/$1.out 2>$RESULTS/$1.err </dev/null &
	eval "$1=\$!"
	until grep -q begun $RESULTS/$1.out; do kill -0 $! || exit; sleep 0.1; done
	sleep 1
}
"$KTAPRUN" kt_quiet.ko
start one
sleep 8
kill -0 $one || echo 'one session alone was ended'
cat /sys/module/kt_load*/parameters/ktap_load >$RESULTS/load
start two
start three
for i in $(seq 240); do
	kill -0 $three 2>/dev/null || break
	sleep 1
done
! kill $three 2>/dev/null || echo 'the newest session goes on'
wait $three && echo 'the newest session: status 0'
kill -0 $one || echo 'the oldest session ended'
cat /sys/module/kt_load*/parameters/ktap_load >>$RESULTS/load
kill $one; kill -0 $two 2>/dev/null && kill $two
wait $one || echo "the oldest session: status $?"
wait $two || : # it may have been ended, too
END_OF_GUEST

for release in $(kernels); do
	module load -D MAXACTION=10000000 -e "$script"
	module quiet -e 'global n, armed probe timer.s(1) { armed = 1 } probe timer.s(4) { exit() }
		probe kernel.function("do_sys_openat2") { if (armed && pid() == stp_pid()) n++ }
		probe end { if (n) println("a quiet session opens files: ", n) }'
	in_guest_silent <sessions.sh
	boot
	cat results/load results/*.err
	silent
	grep -Eq "^WARNING: overload: handlers of [23] sessions take ([5-9][0-9]|1[0-9][0-9])\.[0-9] % of CPU 0 together, at most 50 % are allowed; this one, 'kt_load_3', is the newest and ends; the others: 'kt_load(_2)?' " results/three.err || fail "$(cat results/three.err)"
	# A machine that is busy has fewer ticks than perf wants.
	! grep -v '^WARNING: The kernel stopped events of perf' results/one.err || fail "the oldest session: $(cat results/one.err)"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What befalls the output of ktaprun: output and messages in one pipe that nobody reads, a full disk with --bulk, errors that only close()
# reports; and SIGHUP below nohup, where it is no request to end. Each session ends as it should, and says why.
. "$SRCDIR/testsuite/lib/process.sh"

program close.so -D_GNU_SOURCE -shared -fPIC <"$SRCDIR/testsuite/lib/late-errors.c"

cat >faults.sh <<'END'
run=$KTAPRUN
begun() { grep -q begun /tmp/kt-out; }
ended() { ! grep -qs '^State:.[^Z]' /proc/$pid/status; }
is() { [ "$1" = "$2" ] || { echo "$scenario: expected '$1', found '$2'"; head /tmp/kt-out /tmp/kt-err; }; }
says() { grep -q -e "$1" /tmp/kt-err || { echo "$scenario: does not say '$1'"; grep -v '^WARNING: warned' /tmp/kt-err; }; }
finish() { until_true ended; status=0; wait $pid || status=$?; is "$1" $status; }

scenario='nohup'
(trap '' HUP; exec "$run" kt_ticks.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null & pid=$!
until_true begun
kill -HUP $pid
sleep 1
ended && echo "$scenario: SIGHUP ended it"
kill -TERM $pid
finish 0
(exec "$run" kt_ticks.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null & pid=$!
until_true begun
kill -HUP $pid
finish 0

scenario='one pipe for all'
mkfifo /tmp/pipe
exec 4<>/tmp/pipe
"$run" -v kt_ticks.ko >&4 2>&4 4<&- </dev/null & pid=$!
until_true in_state kt_ticks running
sleep 4
for request in 1 2 3; do
	ended && echo "$scenario: request $request found no session"
	kill -TERM $pid
	sleep 3 # those of one second are one request
done
finish 1
dd bs=1M count=1 of=/tmp/kt-out <&4 2>/tmp/kt-err
grep -q '^tick' /tmp/kt-out && grep -q '^WARNING: warned' /tmp/kt-out || echo "$scenario: not all was in the pipe"

scenario='one pipe for all, read in the end'
"$run" kt_ticks.ko >&4 2>&4 4<&- </dev/null & pid=$!
until_true in_state kt_ticks running
sleep 4
kill -TERM $pid
sleep 3
kill -TERM $pid
sleep 3
cat <&4 >/tmp/kt-out & cat=$!
finish 0
sleep 1
kill $cat
exec 4<&-
for line in '^lines ' '^WARNING: the session is ending'; do
	grep -q "$line" /tmp/kt-out || { echo "$scenario: '$line' is missing"; tail -n 3 /tmp/kt-out; }
done

scenario='disk full with --bulk'
mkdir -p /tmp/small && mount -t tmpfs -o size=64k none /tmp/small
status=0
"$run" --bulk -o /tmp/small/out kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err || status=$?
is 1 $status
says "error: cannot write '/tmp/small/out[.][0-9]*': No space left on device"
! grep 'cannot read' /tmp/kt-err
umount /tmp/small

scenario='errors of close()'
for how in '-o /tmp/late' '-S 1,2 -o /tmp/late' '--bulk -o /tmp/late'; do
	status=0
	LD_PRELOAD=$close "$run" -T 2 $how kt_ticks.ko >/tmp/kt-out 2>/tmp/kt-err || status=$?
	is 1 $status
	says 'error: cannot write .*: Disk quota exceeded'
done
status=0
LD_PRELOAD=$close "$run" -T 0.5 kt_ticks.ko >/tmp/late 2>/tmp/kt-err || status=$?
is 1 $status
says 'error: cannot write the output: Disk quota exceeded'
rm /tmp/late*
END

release=$(kernels)
release=${release%% *}
module ticks -s 1 -e '
global n
probe begin { println("begun") }
probe timer.ms(5) { for (i = 0; i < 20; i++) printf("tick %d %0400d\n", ++n, n) warn(sprintf("warned %d", n)) }
probe end { println("lines ", n) }'
{ echo "cd $PWD; close=$PWD/close.so"; cat faults.sh; } >all
in_guest_silent <all
boot
silent

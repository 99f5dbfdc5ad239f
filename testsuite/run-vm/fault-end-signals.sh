#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Each signal that would end a program ends the session in order. Signals that come together are one request: the end probe's
# output is not lost, in the VM and through ktap --vm. The third request does not wait for a reader of the output, and says so.
. "$SRCDIR/testsuite/lib/process.sh"

script='global n probe timer.ms(10) { n++ } probe begin { println("begun") } probe end { println("end ", n >= 0) }'
flood='probe begin { println("begun") } probe end { for (i = 0; i < 40000; i++) println(sprintf("%0100d", i)) }'

cat >signals.sh <<'END'
# start COMMAND: in the background; it has said that it begins.
start() {
	: >/tmp/kt-out
	"$@" >/tmp/kt-out 2>/tmp/kt-err </dev/null &
	pid=$!
	until grep -q begun /tmp/kt-out; do kill -0 $pid || { cat /tmp/kt-err; exit 1; }; sleep 0.1; done
}
start "$KTAPRUN" kt_burst.ko
kill -INT $pid; kill -TERM $pid; kill -HUP $pid; kill -INT $pid
wait $pid || { echo "status $?"; cat /tmp/kt-out /tmp/kt-err; }
tr '\n' ' ' </tmp/kt-out | grep -q '^begun end 1 $' || cat /tmp/kt-out
[ ! -s /tmp/kt-err ] || cat /tmp/kt-err

# Of the real-time signals some; 32 and 33 are the C library's. 9 and 19 cannot be caught, 10 is USR1.
for signal in 1 3 4 5 6 7 8 10 11 14 16 24 26 27 29 30 31 34 35 50 64; do
	start "$KTAPRUN" kt_burst.ko
	kill -$signal $pid
	wait $pid || { echo "signal $signal: status $?"; cat /tmp/kt-err; }
	[ "$(tr '\n' ' ' </tmp/kt-out)" = 'begun end 1 ' ] || echo "signal $signal: $(cat /tmp/kt-out)"
	if [ $signal = 24 ]; then
		grep -q '^WARNING: the limit on processor time is reached (ulimit -t): the session ends$' /tmp/kt-err
	else
		[ ! -s /tmp/kt-err ]
	fi || { echo "signal $signal:"; cat /tmp/kt-err; }
	[ ! -e /sys/module/kt_burst ] || echo "signal $signal: the module stays"
done
# 10 is for a script that has a probe of it; 12 begins a file; 13, 17, 18, 23, 25 and 28 say nothing.
start "$KTAPRUN" kt_usr1.ko
for signal in 10 12 13 17 18 23 25 28; do
	kill -$signal $pid
done
until grep -q USR1 /tmp/kt-out; do kill -0 $pid || exit; sleep 0.1; done
kill -10 $pid
until [ "$(grep -c USR1 /tmp/kt-out)" = 2 ]; do kill -0 $pid || exit; sleep 0.1; done
kill -TERM $pid
wait $pid || cat /tmp/kt-err

# Nobody reads more of the pipe than the first line, and it does not hold 4 MB.
mkfifo /tmp/pipe
"$KTAPRUN" kt_flood.ko >/tmp/pipe 2>/tmp/kt-err </dev/null &
pid=$!
exec 4</tmp/pipe
read -r line <&4
[ "$line" = begun ] || echo "first line: $line"
kill -INT $pid; kill -TERM $pid
until in_state kt_flood stopped; do kill -0 $pid || exit; sleep 0.1; done
sleep 3; kill -0 $pid || echo "the first request lost output"
kill -TERM $pid
sleep 3; kill -0 $pid || echo "the second request lost output"
kill -INT $pid
wait $pid && echo "status 0 after a third signal"
exec 4<&-
grep -q '^WARNING: the session is ending; one more signal does not wait for output that nobody reads$' /tmp/kt-err &&
	grep -q '^WARNING: ended by a third signal: not waited for: output that nobody reads$' /tmp/kt-err || cat /tmp/kt-err
END

for release in $(kernels); do
	module burst -e "$script"
	module usr1 -e "$script probe session.signal(\"USR1\") { println(\"USR1\") }"
	module flood -s 8 -D MAXACTION=1000000 -e "$flood"
	in_guest_silent <signals.sh
	boot
	silent
done

release=${release:?}
: >out
"$KTAP" --vm="$release" -e "$script" >out 2>err </dev/null &
pid=$!
until grep -q begun out; do kill -0 $pid || fail "ktap --vm did not begin"; sleep 0.2; done
kill -INT $pid
kill -TERM $pid
kill -HUP $pid
wait $pid || fail "ktap --vm: status $?"
test "$(tr '\n' ' ' <out)" = "begun end 1 " || fail "ktap --vm lost the end probe's output"

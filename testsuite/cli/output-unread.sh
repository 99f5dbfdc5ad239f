#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C while the output is a full pipe that nobody reads: the first one ends the session once the output is read, the second one
# ends it without a reader, which is an error. No process and no file is left, also where messages go to the same pipe.
. "$SRCDIR/testsuite/lib/unread.sh"

# stop_reading: the reader takes nothing more. After its signal it may still read what comes before it runs.
stop_reading()
{
	kill $cat
	wait $cat || :
}

printf '%s\n' 'probe timer.ms(10) { for (i = 0; i < 20; i++) printf("%0400d\n", i) } probe end { println("ended") }' >ticks.stp
for option in --timestamps=mono --remote=direct: --prometheus=127.0.0.1:0; do
	begin --runtime=user $option ticks.stp 2>err
	ended && fail "$what: the first request does not wait for the reader"
	kill -INT $pid
	finish 1
	said 'cannot write the output: nobody reads it'
	empty

	begin --runtime=user $option ticks.stp 2>&4
	kill -TERM $pid
	finish 1
	empty

	begin --runtime=user $option ticks.stp 2>err
	cat <&4 >out & cat=$!
	finish 0
	until_true grep -q 'ended$' out || fail "$what: the end probe's output is lost"
	stop_reading
done

# A session that nothing wakes but the signal: it comes while the first line waits for room, and is not forgotten when there is room.
what="one line"
printf '%s\n' 'probe begin { system("touch armed") println("begun") } probe end { println("ended") }' >once.stp
perl -e 'fcntl(STDOUT, 4, 2048); while (syswrite(STDOUT, "x" x 4096)) {} fcntl(STDOUT, 4, 0)' >&4
"$KTAP" --runtime=user once.stp >&4 2>err 4<&- </dev/null & pid=$!
until_true test -e armed || fail "$what: it does not begin"
sleep 1
kill -TERM $pid
sleep 1
ended && fail "$what: the request does not wait for the reader"
cat <&4 >out & cat=$!
finish 0
until_true grep -q '^ended$' out || fail "$what: the end probe's output is lost"
stop_reading

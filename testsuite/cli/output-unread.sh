#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C while the output is a full pipe that nobody reads: the first one ends the session once the output is read, the second one
# ends it without a reader, which is an error. No process and no file is left, also where messages go to the same pipe.
. "$SRCDIR/testsuite/lib/unread.sh"

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
	kill $cat
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each signal that would end a program ends a session of --runtime=user in order, also with a view of it and below stap, which
# waits for it. Of the real-time signals two.
. "$SRCDIR/testsuite/lib/sh.sh"
script='global n probe begin { println("begun") n = 1 } probe end { println("end ", n) }'
ln -s "$KTAP" stap
for signal in 1 2 3 10 14 15 24 27 29 34 64; do
	for how in "$KTAP" "$KTAP --prometheus=127.0.0.1:0" "$PWD/stap -v"; do
		: >out
		# shellcheck disable=SC2086
		$how --runtime=user -e "$script" >out 2>err </dev/null &
		pid=$!
		until_says $pid begun out "$how did not begin"
		kill -$signal $pid
		wait $pid || fail "signal $signal, $how: status $?"
		grep -q '^end 1$' out || fail "signal $signal, $how: no end"
	done
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# begin and end print eight times what the buffers of two CPUs hold. They wait for nobody, and somebody reads meanwhile: the
# session ends, each line is printed or counted as lost, and what is printed is in order. SIGTERM sent while begin prints
# ends the session as it should: the end probe has run, the exit status is 0.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module much -s 1 -DMAXACTION=1000000 -e '
function fill(what)
{
	for (i = 0; i < 40000; i++)
		printf("%s %06d %0400d\n", what, i, i)
}
probe begin { fill("begin") }
probe begin(1) { exit() }
probe end { fill("end") }'
	in_guest '"$KTAPRUN" kt_much.ko >$RESULTS/much.out 2>$RESULTS/much.err </dev/null
		echo $? >$RESULTS/much.status'
	module signal -s 1 -DMAXACTION=1000000 -e '
probe begin { println("begin") }
probe begin(1) { for (i = 0; i < 20000; i++) if (i % 100 == 0) printf("%d %0400d\n", i, i) }
probe begin(2) { println("not wanted any more") }
probe end { println("end") }'
	in_guest '"$KTAPRUN" kt_signal.ko >$RESULTS/signal.out 2>$RESULTS/signal.err </dev/null &
		while [ ! -s $RESULTS/signal.out ]; do :; done
		kill -TERM $!; wait $!; echo $? >$RESULTS/signal.status'
	boot
	result signal
	test "$(grep -v -e 00 -e wanted out | tr '\n' ,)" = "begin,end," || fail "SIGTERM in begin on $release"
	result much
	lost=$(sed -n 's/.*There were \([0-9]*\) lost messages.*/\1/p' err)
	test "$((lost + $(wc -l <out)))" = 80000 || fail "$(wc -l <out) printed, ${lost:-0} lost on $release, not 80000 in all"
	sort -c out || fail "out of order on $release"
	for what in begin end; do
		n=$(grep -c "^$what " out)
		test "$n" -gt 5000 || fail "only $n lines of $what on $release: nobody reads while it runs"
		echo "$release: $n lines of $what"
	done
done

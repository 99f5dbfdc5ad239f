#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Two sessions of one module at once, each with its own counts; ten starts and stops while both CPUs run probed
# functions; a start while a killed session of the same name is still being taken down.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module together --debuginfo=btf -e '
global n, r
probe kernel.function("vfs_*").call ?, kernel.function("ksys_*").call ? { n++ }
probe kernel.function("vfs_read").return { r++ }
probe end { println("counted ", n > r && r > 0) }'
	in_guest_silent <<'END'
run=$KTAPRUN module=kt_together.ko
load() {
	while :; do
		dd if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null
	done
}
load & one=$!
load & two=$!
trap 'kill $one $two' EXIT
"$run" -v "$module" >/tmp/first 2>/tmp/first.err & first=$!
until in_state kt_together running; do sleep 0.1; kill -0 $first || exit; done
"$run" -v -T 3 "$module" >/tmp/second 2>/tmp/second.err || { echo "the second session failed"; cat /tmp/second.err; exit 1; }
kill -INT $first
wait $first || { echo "the first session failed"; cat /tmp/first.err; exit 1; }
for s in first second; do
	[ "$(cat /tmp/$s)" = "counted 1" ] || { echo "session $s: $(cat /tmp/$s /tmp/$s.err)"; exit 1; }
done
grep -q "this session is module 'kt_together_2'" /tmp/second.err || { echo "not renamed: $(cat /tmp/second.err)"; exit 1; }
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$run" -T 0.1 "$module" >/tmp/kt-out 2>/tmp/kt-err || { echo "round $i failed: $(cat /tmp/kt-err)"; exit 1; }
done
for i in 1 2 3; do
	"$run" "$module" >/tmp/kt-out 2>/tmp/kt-err & pid=$!
	sleep 0.5
	kill -9 $pid
	"$run" -v -T 0.2 "$module" >/tmp/kt-out 2>/tmp/kt-err || { echo "after kill $i: $(cat /tmp/kt-err)"; exit 1; }
	wait $pid 2>/dev/null
done
# The killed one may have died after the last one: the next removes it.
"$run" -T 0.1 "$module" >/tmp/kt-out 2>/tmp/kt-err || { echo "the last failed: $(cat /tmp/kt-err)"; exit 1; }
exit 0
END
	boot
	silent
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of ktaprun with procfs probes, while a program has a file open: the session stops, the files go, reading the open
# one fails, the next run removes the module and says so.
#! also-on: rt
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module file --debuginfo=btf -e '
probe procfs("x").read { $value = "text\n" }
probe procfs("x").write { println($value) }
probe begin { println("begun") }'
	in_guest_silent <<'END'
run=$KTAPRUN name=kt_file
for i in 1 2 3; do
	"$run" $name.ko >/tmp/kt-out 2>/tmp/kt-err & pid=$!
	until [ -e /proc/systemtap/$name/x ]; do sleep 0.1; kill -0 $pid || exit; done
	exec 5</proc/systemtap/$name/x
	echo written >/proc/systemtap/$name/x
	[ "$(cat /proc/systemtap/$name/x)" = text ] || { echo "round $i: not the text"; exit 1; }
	kill -9 $pid
	wait $pid 2>/dev/null
	[ "$(cat /sys/module/$name/parameters/ktap_state)" = stopped ] || { echo "round $i: the session goes on"; exit 1; }
	[ ! -e /proc/systemtap ] || { echo "round $i left: $(find /proc/systemtap)"; exit 1; }
	cat <&5 >/tmp/late 2>&1 && { echo "reading a removed file succeeds: $(cat /tmp/late)"; exit 1; }
	exec 5<&-
done
"$run" -T 0.5 $name.ko >/tmp/kt-out 2>/tmp/kt-err || { echo "the run after three kills: $(cat /tmp/kt-err)"; exit 1; }
[ "$(cat /tmp/kt-err)" = "ktaprun: removed module '$name', which a killed session had left" ] || cat /tmp/kt-err
[ ! -e /proc/systemtap ] || find /proc/systemtap
END
	boot
	silent
done

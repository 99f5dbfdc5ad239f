#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module that no probe names is loaded and removed while a session arms thousands of places, though another module has a place: it does not
# wait until the session has armed them. The session can be ended then, and a module that has many places comes and goes.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module arming -e 'global n
		probe kprobe.module("loop").function("loop_add") { n++ }
		probe kernel.function("*@kernel/*.c").inline, kernel.function("*@fs/*.c").inline { n++ }
		probe end { println("end ", n >= 0) }'
	module going -e 'global n
		probe module("loop").function("*").call, module("loop").function("*").return { n++ }
		probe end { println("hit ", n > 0) }'
	in_guest_silent <<'END'
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug || exit
state() { cat /sys/module/$1/parameters/ktap_state 2>/dev/null; }
"$KTAPRUN" kt_arming.ko >/tmp/kt-out 2>/tmp/kt-err & session=$!
until [ "$(wc -l </sys/kernel/debug/kprobes/list)" -ge 200 ]; do kill -0 $session || { cat /tmp/kt-err; exit 1; }; done
modprobe dummy && rmmod dummy || exit
[ "$(state kt_arming)" = starting ] || { echo "modprobe waited: the session is $(state kt_arming)"; exit 1; }
kill -INT $session
wait $session || { echo "status $?"; cat /tmp/kt-err; exit 1; }
[ "$(cat /tmp/kt-out)" = 'end 1' ] || { cat /tmp/kt-out; exit 1; }
"$KTAPRUN" kt_going.ko >/tmp/kt-out 2>/tmp/kt-err & session=$!
until [ "$(state kt_going)" = running ]; do sleep 0.1; kill -0 $session || { cat /tmp/kt-err; exit 1; }; done
for round in 1 2; do
	modprobe loop max_loop=2 && rmmod loop || exit
done
! grep '\[loop\]' /sys/kernel/debug/kprobes/list || { echo 'places of a module that is gone'; exit 1; }
kill -INT $session
wait $session || { echo "status $?"; cat /tmp/kt-err; exit 1; }
[ "$(cat /tmp/kt-out)" = 'hit 1' ] || { cat /tmp/kt-out; exit 1; }
END
	boot
	silent
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: MODULE_FORCE_UNLOAD
#! also-on: rt
# rmmod -f takes the module from a session that goes on: its loader waits in poll() for what the module has, and ends with an error.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module forced -e 'global n probe begin { println("begun") } probe kernel.function("vfs_read"), timer.ms(20) { n++ }'
	in_guest_silent <<'END'
for output in '' --bulk; do
	"$KTAPRUN" $output -o /tmp/kt-out kt_forced.ko 2>/tmp/kt-err & session=$!
	until in_state kt_forced running; do sleep 0.1; kill -0 $session || exit; done
	sleep 1
	rmmod -f kt_forced || exit
	status=0
	wait $session || status=$?
	[ $status = 1 ] && grep -q 'error: ' /tmp/kt-err || { echo "status $status with '$output': $(cat /tmp/kt-err)"; exit 1; }
	! ls -d /proc/ktap_* 2>/dev/null || exit 1
done
END
	boot
	silent
done

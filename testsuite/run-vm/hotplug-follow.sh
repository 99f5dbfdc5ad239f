#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# CPU 1 is off when the session starts, and then comes and goes ten times: each time events of the kernel, the clock and a
# watchpoint fire on it soon, one of them after its condition was false while the CPU was away.
. "$SRCDIR/testsuite/lib/process.sh"

vm_options='-a nokaslr'
for release in $(kernels); do
	# A kernel without debugging information says itself where its variables are.
	map=/usr/lib/debug/boot/System.map-$release
	if [ ! -e "$map" ]; then
		in_guest 'cat /proc/kallsyms >$RESULTS/map'
		boot
		map=results/map
	fi
	address=$(sed -n 's/ [A-Za-z] panic_timeout$//p' "$map")
	[ "$address" ] || fail "no panic_timeout in $release"
	watchpoint="probe kernel.data(0x$address).length(4).write { if (cpu() == 1) writes++ }" seen=1111
	# There a watchpoint is refused.
	test "$machine" != aarch64 || watchpoint='' seen=1101
	in_guest "all=$seen"
	# A CPU that holds a lock may have to wait for a busy machine: handlers wait for a second.
	module follow --debuginfo=btf -DMAXTRYLOCK=100000 -e "
global switches, ticks, writes, away, late
probe perf.sw.context_switches.sample(1) { if (cpu() == 1) switches++ }
probe timer.profile { if (cpu() == 1) ticks++ }
probe perf.sw.cpu_clock.sample(1000000) if (!away) { if (cpu() == 1) late++ }
$watchpoint
probe procfs(\"away\").write { away = \$value == \"1\\n\"; switches = 0; ticks = 0; writes = 0; late = 0 }
probe procfs(\"seen\").read { \$value = sprintf(\"%d%d%d%d\\n\", switches > 0, ticks > 0, writes > 0, late > 0) }
probe end { println(\"done\") }"
	in_guest_silent <<'END'
cpu=/sys/devices/system/cpu/cpu1/online
echo 0 >$cpu
"$KTAPRUN" kt_follow.ko >/tmp/kt-out 2>&1 & session=$!
until [ -e /proc/systemtap/kt_follow/seen ]; do sleep 0.1; kill -0 $session || { cat /tmp/kt-out; exit 1; }; done
cd /proc/systemtap/kt_follow
for i in 1 2 3 4 5 6 7 8 9 10; do
	echo 1 >away
	sleep 0.2
	[ "$(cat seen)" = 0000 ] || echo "round $i: the CPU is off, but seen: $(cat seen)"
	echo 1 >$cpu
	echo 0 >away
	until [ "$(cat seen)" = $all ]; do
		taskset -c 1 sh -c 'echo 9 >/proc/sys/kernel/panic'
		kill -0 $session || { cat /tmp/kt-out; exit 1; }
	done
	[ $i = 10 ] || echo 0 >$cpu
done
kill -INT $session
wait $session || echo "the session failed: $?"
[ "$(cat /tmp/kt-out)" = done ] || cat /tmp/kt-out
END
	boot
	silent
done
exit 0

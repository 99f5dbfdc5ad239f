#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: CPU_SRSO|ARM64
# Probing most of what the kernel is made of: the entries of all functions of fs, mm, net and of the scheduler, locks, RCU
# and timers, while processes, files, pipes, sockets, signals, modules and a CPU that goes and comes keep
# them busy. A count that a program knows is exact; the kernel has nothing to complain about and would stop at a WARN. Then
# breakpoints on all lines of the unwinder that handlers call, with a lock that the handlers below them hold, on one CPU: each is
# skipped for its recursion, none waits for that lock. The code that returns go through is refused.
# Not "*": each place that ftrace cannot take, a sixth of all, costs the kernel millions of instructions.
. "$SRCDIR/testsuite/lib/process.sh"

${CC:-gcc} -O2 -static -pthread -o load "$SRCDIR/testsuite/bench/load.c" || fail "cannot compile"
${CC:-gcc} -O2 -static -pthread -o busy "$SRCDIR/testsuite/storm/load.c" || fail "cannot compile"
cat >all.sh <<'END'
./busy || echo "busy: $?"
modprobe dummy && modprobe -r dummy || echo "modprobe: $?"
echo 0 >/sys/devices/system/cpu/cpu1/online || echo "CPU 1 does not go"
./busy || echo "busy on one CPU: $?"
echo 1 >/sys/devices/system/cpu/cpu1/online || echo "CPU 1 does not come"
cat /proc/1/maps /proc/*/stat /proc/interrupts >/dev/null 2>&1
exec ./load getpgid
END
# The unwinder, and what the kernel lets be probed and the kit does not.
unwinder=arch/x86/kernel/unwind_orc.c denied='probe kprobe.function("srso_alias_safe_ret")'
test "$wrapper" = __x64_sys || unwinder=arch/arm64/kernel/stacktrace.c denied='probe timer.s(1000)'
for release in $(kernels); do
	in_guest 'ip link set lo up; echo 1 >/proc/sys/kernel/panic_on_oops; echo 1 >/proc/sys/kernel/panic_on_warn'
	session all -v -c 'sh ./all.sh' -e "
	global n, calls
	probe kernel.function(\"*@fs/*.c\").call, kernel.function(\"*@mm/*.c\").call, kernel.function(\"*@net/*.c\").call,
	      kernel.function(\"*@kernel/sched/*.c\").call, kernel.function(\"*@kernel/locking/*.c\").call,
	      kernel.function(\"*@kernel/rcu/*.c\").call, kernel.function(\"*@kernel/time/*.c\").call { n++ }
	probe kernel.function(\"${wrapper}_getpgid\").call { if (pid() == target()) calls++ }
	probe end { println(n > 100000, \" \", calls) }"
	in_guest 'echo 0 >/sys/devices/system/cpu/cpu1/online'
	session lines -c ./busy -e "
	global n, last
	probe kernel.function(\"vfs_write\").call { last = n * last; n++; print_backtrace() }
	probe kernel.statement(\"*@$unwinder:*\") { last = n * last; n++ }
	$denied { n++ }
	probe end { println(\"hits \", n > 0) }"
	boot
	result all
	expect <<-'END'
	1 30500
	END
	result lines
	printed '^hits 1$'
	# On arm64 the kit walks the stack with no function of the kernel.
	test "$wrapper" != __x64_sys || { said 'srso_alias_safe_ret.*registration error' && said 'Skipped due to reentrancy'; }
	! grep 'lock on a global' err || fail "a handler waited for itself on $release"
done

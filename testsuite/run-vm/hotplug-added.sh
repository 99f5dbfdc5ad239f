#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: all
#! needs-config: X86_64
#! also-on: rt
# A CPU that the machine gets while the session runs: what is printed there arrives, events fire on it, and nothing is lost
# once it has its ring. QEMU's arm64 machine has no such CPUs. Kernels from 6.9 on do not take QEMU's hotpluggable CPUs for possible ones: nothing can be tested there.
. "$SRCDIR/testsuite/lib/process.sh"

vm_options="-q -smp -q 2,maxcpus=3 -q -monitor -q unix:$work/monitor,server,nowait -q -serial -q file:$work/serial"
# Has QEMU add the CPU when the guest asks for it on its second serial port: one of the two models is that of the others.
add_cpu()
{
	until grep -q waits "$work/serial" 2>/dev/null; do sleep 0.2; done
	perl -MIO::Socket::UNIX -e '
		my $monitor = IO::Socket::UNIX->new($ARGV[0]) or die "no monitor: $!";
		print $monitor "device_add $_-x86_64-cpu,socket-id=0,core-id=2,thread-id=0,id=added\n" for qw(max host);
		print while <$monitor>;' "$work/monitor" >"$work/monitor.log" 2>&1
}

for release in $(kernels); do
	test "$(printf '%s\n' 6.9 "$release" | sort -V | head -n 1)" = "$release" || continue
	module added -e '
global ticks
probe timer.profile { if (cpu() == 2) { ticks++; if (ticks % 10 == 0) printf("tick on CPU %d\n", cpu()) } }'
	in_guest_silent <<'END'
grep -q 2 /sys/devices/system/cpu/possible || echo "no CPU 2 is possible"
"$KTAPRUN" kt_added.ko >/tmp/kt-out 2>&1 & session=$!
until in_state kt_added running; do sleep 0.1; kill -0 $session || { cat /tmp/kt-out; exit 1; }; done
echo waits >/dev/ttyS1
cpu=/sys/devices/system/cpu/cpu2/online
until [ -e $cpu ]; do sleep 0.1; done
[ "$(cat $cpu)" = 1 ] || echo 1 >$cpu
until grep -q 'tick on CPU 2' /tmp/kt-out; do sleep 0.1; kill -0 $session || { cat /tmp/kt-out; exit 1; }; done
kill -INT $session
wait $session || echo "the session failed: $?"
grep -v '^tick on CPU 2$' /tmp/kt-out
true
END
	rm -f "$work/serial"
	add_cpu & adder=$!
	boot
	silent
	kill $adder 2>/dev/null
done
exit 0

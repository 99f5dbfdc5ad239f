#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Functions that a processor runs before it can take a breakpoint are refused: a processor that came would reset the machine.
. "$SRCDIR/testsuite/lib/process.sh"

cat >toggle.sh <<'END'
for state in 0 1 0 1; do
	echo $state >/sys/devices/system/cpu/cpu1/online || echo "CPU 1: not $state"
done
END
for release in $(kernels); do
	session early -c 'sh ./toggle.sh' -e 'global n
probe kprobe.function("early_setup_idt"), kprobe.function("native_write_cr4"), kprobe.function("native_write_msr") { n++ }
probe end { println("end ", n + 0) }'
	boot
	result early
	expect <<-'END'
	end 0
	END
	said 'early_setup_idt.*registration error'
	said 'native_write_cr4.*registration error'
	said 'native_write_msr.*registration error'
done

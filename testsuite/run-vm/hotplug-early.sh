#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Functions that a processor runs before it can take a breakpoint are refused, and places inside them: a processor that came would
# reset the machine.
. "$SRCDIR/testsuite/lib/process.sh"

every='setup_ghcb cc_platform_has start_secondary native_load_tr_desc native_write_gdt_entry load_current_idt cr4_init native_write_cr4
native_write_msr machine_kexec'
points() { for name in $every; do echo "kprobe.function(\"$name\")?,"; done }

cat >toggle.sh <<'END'
for state in 0 1 0 1; do
	echo $state >/sys/devices/system/cpu/cpu1/online || echo "CPU 1: not $state"
done
END
for release in $(kernels); do
	ktap -r "$release" -l "$(points) never"
	mv out present
	grep -q native_write_msr present || fail "no functions on $release"
	session early -c 'sh ./toggle.sh' -e "global n
probe $(points) never { n++ }
probe end { println(\"end \", n + 0) }"
	session inside -c 'sh ./toggle.sh' -e 'global n
probe kernel.function("*@arch/x86/kernel/cpu/common.c")?, kernel.function("*@arch/x86/kernel/smpboot.c")?,
      kernel.statement("start_secondary@arch/x86/kernel/smpboot.c:*")?, kprobe.function("flush_smp_call_function_queue") { n++ }
probe end { println("end ", n > 0) }'
	boot
	result early
	expect <<-'END'
	end 0
	END
	for name in setup_ghcb native_load_tr_desc native_write_cr4 native_write_msr machine_kexec; do
		grep -qx "kprobe.function(\"$name\")" present || continue
		said "$name.*registration error .rc -13: .*before it can take a breakpoint"
	done
	result inside
	expect <<-'END'
	end 1
	END
done

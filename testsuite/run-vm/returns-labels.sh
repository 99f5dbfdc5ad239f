#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64 SUSPEND
# Symbols that no call leads to: hooking their return would overwrite what lies on the stack there. The cold part of pm_suspend(),
# which runs when somebody asks to suspend, is refused by name, whichever debugging information there is. Before _stext is no memory. __switch_to_asm() ends in another task than it began in.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	for how in auto btf; do
		ktap -r "$release" --debuginfo=$how -l 'kprobe.function("pm_suspend.cold")?'
		grep -q cold out || continue # this kernel's has none
		ktap -r "$release" --debuginfo=$how -p2 -e 'probe kprobe.function("pm_suspend.cold").return { }'
		refused no-match
		said "'pm_suspend.cold' cannot be probed: it is a part that its function jumps to"
	done
	session labels --debuginfo=btf -c 'echo mem >/sys/power/state; true' -e 'global n
probe kprobe.function("_stext").return, kprobe.function("__switch_to_asm").return { n++ }
probe kprobe.function("_stext") { n++ }
probe end { println("end ", n + 0) }'
	boot
	result labels
	expect <<-'END'
	end 0
	END
	said '__switch_to_asm").return registration error .rc -1:'
done

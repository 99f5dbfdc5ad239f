#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64 SUSPEND
# Symbols that no call leads to: hooking their return would overwrite what lies on the stack there. The cold part of pm_suspend(),
# which runs when somebody asks to suspend, is refused, by ktap and by the module for a name that ktap could not look at. Before
# _stext is no memory. __switch_to_asm() ends in another task than it began in.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	ktap -r "$release" -l 'kprobe.function("pm_suspend.cold")?'
	if grep -q cold out; then
		ktap -r "$release" -p2 -e 'probe kprobe.function("pm_suspend.cold").return { }'
		refused no-match
		said "'pm_suspend.cold' cannot be probed: it is a part that its function jumps to"
	fi
	session labels --debuginfo=btf -c 'echo mem >/sys/power/state; true' -e 'global n
probe kprobe.function("pm_suspend.cold").return, kprobe.function("_stext").return, kprobe.function("__switch_to_asm").return { n++ }
probe kprobe.function("_stext") { n++ }
probe end { println("end ", n + 0) }'
	boot
	result labels
	expect <<-'END'
	end 0
	END
	said '__switch_to_asm").return registration error .rc -1:'
	said 'pm_suspend.cold").return registration error'
done

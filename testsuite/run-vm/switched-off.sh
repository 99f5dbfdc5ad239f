#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel whose switches keep probes of functions from being hit: the session says so. One without such probes says nothing.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module functions --debuginfo=btf -e 'probe kernel.function("vfs_read") { } probe begin { exit() }'
	module others --debuginfo=btf -e 'probe begin { exit() }'
	in_guest_silent <<'END'
said()
{
	"$KTAPRUN" kt_$1.ko 2>&1 | sed -n 's/^WARNING: \(.*\) is 0: some probes of kernel functions are not hit$/\1/p'
}
[ -z "$(said functions)" ] || echo "warned of nothing"
sysctl -q kernel.ftrace_enabled=0
[ "$(said functions)" = /proc/sys/kernel/ftrace_enabled ] || echo "not said: ftrace"
[ -z "$(said others)" ] || echo "warned though no function is probed"
sysctl -q kernel.ftrace_enabled=1
mount -t debugfs none /sys/kernel/debug 2>/dev/null
echo 0 >/sys/kernel/debug/kprobes/enabled
[ "$(said functions)" = /sys/kernel/debug/kprobes/enabled ] || echo "not said: kprobes"
END
	boot
	silent
done
exit 0

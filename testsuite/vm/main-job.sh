#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The main job on every kernel: opens of a command are printed by a probe in that kernel, run with --vm.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
for release in $(kernels); do
	test -e "/usr/lib/debug/boot/vmlinux-$release" || continue
	ktap --vm="$release" \
		-e 'probe kernel.function("do_sys_open") { printf("%s %s\n", execname(), user_string($filename)) }' \
		-c 'cat /etc/hostname'
	accepted
	printed '^cat /etc/hostname$'
	grep -q -x -f /etc/hostname out || fail "the command's own output is missing"
done
exit 0

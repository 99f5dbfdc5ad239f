#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# A watchpoint at an address of the running kernel, which stands where it was linked; and five of them in two sessions:
# the fifth finds no free debug register, is a warning, and the rest run.
. "$SRCDIR/testsuite/lib/process.sh"

vm_options='-a nokaslr'
ran=
for release in $(kernels); do
	map=/usr/lib/debug/boot/System.map-$release
	[ -e "$map" ] || map=/usr/lib/debug/lib/modules/$release/System.map
	[ -e "$map" ] || continue
	address=$(sed -n 's/ [A-Za-z] panic_timeout$//p' "$map")
	[ "$address" ] || fail "no panic_timeout in $map"
	module fifth -e '
probe kernel.data("panic_on_oops").write { println("impossible") }
probe begin { println("runs") }'
	session address -c 'echo 41 >/proc/sys/kernel/panic; '"$BUILDDIR/ktaprun"' -c true kt_fifth.ko' -e "
probe kernel.data(0x$address).length(4).write { println(kernel_int(0x$address)) }
probe kernel.data(0xffffffff81000000).rw, kernel.data(0xffffffff81000010).rw { next }
probe kernel.data(0xffffffff81000020).length(8).rw { next }"
	boot
	cp results/address.out out
	cp results/address.err err
	printf '%s\n' 41 runs | expect
	said 'panic_on_oops.*registration error.*: other programs have taken the debug registers'
	ran=1
done
[ "$ran" ] || { echo "no kernel with a System.map"; exit 77; }

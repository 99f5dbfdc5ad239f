#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module has no static per-CPU data, whatever of the kit its script uses: the kernel has 8 KiB of it for all modules.
. "$SRCDIR/testsuite/lib/sh.sh"

ran=
for build in /lib/modules/*/build; do
	release=${build#/lib/modules/}
	release=${release%/build}
	[ -e "$build/Makefile" ] || continue
	ktap -p4 -r "$release" -m kt_percpu -e '
global n, s
probe timer.profile { n[cpu()] <<< randint(9); print_backtrace(); s = symname(addr()); raise(10) }
probe timer.s(1) { println(sprint_ubacktrace()); println(@sum(n[0])) }' -g
	accepted
	size=$(LC_ALL=C readelf -SW kt_percpu.ko | sed -n 's/.*\.data\.\.percpu *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
	[ $((0x${size:-0})) = 0 ] || fail "0x$size bytes of static per-CPU data in a module for $release"
	ran=1
done
[ "$ran" ] || { echo "no kernel's build tree is installed"; exit 77; }

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel without DWARF: one warning a point that inlined copies are not probed, with the package that brings them; no
# warning where no inlined copy is asked for, by .call or --debuginfo=btf.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"

R=$(ls /lib/modules 2>/dev/null | grep -e -rt- | head -n 1)
test -n "$R" && test -n "$(image "$R")" || { echo "the rt kernel is not installed"; exit 77; }
test ! -e "/usr/lib/debug/boot/vmlinux-$R" || { echo "the rt kernel has debugging information"; exit 77; }

ktap -r "$R" -p2 -e 'probe kernel.function("do_sys_open"), kernel.function("vfs_re*") { }'
accepted
test "$(grep -c 'warning: copies of' err)" = 2 || fail "a warning for each point is expected"
said "copies of 'do_sys_open' that are inlined into other functions are not probed \\[no-debuginfo\\]"
said "apt-get install linux-image-$R-dbg"
ktap -r "$R" -p2 -e 'probe kernel.function("do_sys_open").call, kernel.function("vfs_read").return { }'
accepted
! grep -q 'warning' err || fail "no warning is expected: only copies that are functions are asked for"
ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("do_sys_open") { }'
accepted
! grep -q 'warning' err || fail "no warning is expected: BTF was chosen"

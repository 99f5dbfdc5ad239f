#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information that there is no memory to map is not called missing, and is not left aside in silence.
. "$SRCDIR/testsuite/lib/sh.sh"

R=$(ls /usr/lib/debug/boot/vmlinux-6.1.*-cloud-* 2>/dev/null | sed 's/.*vmlinux-//' | head -n 1)
test "$R" || { echo "no kernel has debugging information here"; exit 77; }
limited() { (ulimit -v 250000; "$KTAP" -r "$R" "$@" >out 2>err); }
limited -p2 -e 'probe kernel.function("vfs_read") { }' && fail "accepted: $(cat out err)"
said "error: .*/vmlinux-$R: Cannot allocate memory \\[no-debuginfo\\]"
said 'note: ulimit -v, or a system where vm.overcommit_memory is 2, leaves less .*--debuginfo=btf does without it'
! grep -q apt-get err || fail "it is installed: $(cat err)"
limited --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read") { }' || fail "by BTF: $(cat err)"

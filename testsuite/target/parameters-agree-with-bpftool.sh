#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 200 functions chosen by chance: their parameters, by DWARF and by BTF, are those that bpftool prints from BTF.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
command -v bpftool >/dev/null || PATH=$PATH:/usr/sbin
command -v bpftool >/dev/null || { echo "bpftool is not installed"; exit 77; }

check()
{
	for how in dwarf btf; do
		perl "$SRCDIR/testsuite/lib/ground-truth" "$R" "/usr/lib/debug/boot/vmlinux-$R" "$how" 200 "${SEED:-20240}" >out 2>err ||
			fail "$R by $how"
		cat out
	done
}
on_each check

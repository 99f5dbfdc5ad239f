#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A vmlinux that is truncated, empty or no ELF file: one error, no crash.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

R=$(debug_kernels | head -n 1)
mkdir -p tree/include/config
echo "$R" >tree/include/config/kernel.release
for bytes in 1 63 4096 1000000 60000000; do
	head -c "$bytes" "/usr/lib/debug/boot/vmlinux-$R" >tree/vmlinux
	ktap -r "$PWD/tree" --debuginfo=dwarf -p2 -e 'probe kernel.function("vfs_nosuch") { }'
	test "$status" = 1 || fail "$bytes bytes: exit status $status"
	test "$(grep -c 'error: ' err)" = 1 || fail "$bytes bytes: $(grep -c 'error: ' err) errors"
done
rm tree/vmlinux

# One whose DWARF is in other files.
echo 9.9.9-split >tree/include/config/kernel.release
echo '__attribute__((noipa)) int vfs_read(int x) { return x; } void _start(void) { vfs_read(1); }' >v.c
gcc -g -gsplit-dwarf -O1 -nostdlib -static -o tree/vmlinux v.c
ktap -r "$PWD/tree" -L 'kernel.function("vfs_read")'
printed 'vfs_read@.*v.c:1") $x:int$'
rm tree/*.dwo
ktap -r "$PWD/tree" -p2 -e 'probe kernel.function("vfs_read") { }'
refused no-debuginfo
said '1 of 1 .dwo files of .*vmlinux'
gcc -g -O1 -nostdlib -static -o tree/vmlinux v.c
ktap -r "$PWD/tree" -L 'kernel.function("vfs_read")'
printed 'vfs_read@.*v.c:1") $x:int$'
rm -r tree

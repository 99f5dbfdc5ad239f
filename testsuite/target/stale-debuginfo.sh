#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information of another build than the kernel's image is refused, and both are named.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

set -- $(debug_kernels)
test $# -ge 2 || { echo "two kernels with debugging information are needed"; exit 77; }
mkdir -p tree/include/config tree/arch/x86/boot
echo "$1" >tree/include/config/kernel.release
ln -sf "/usr/lib/debug/boot/vmlinux-$2" tree/vmlinux
ln -sf "$(image "$1")" tree/arch/x86/boot/bzImage
ktap -r "$PWD/tree" -p2 -e 'probe kernel.function("vfs_read") { }'
refused stale-debuginfo
said 'build-id [0-9a-f]\{40\}'
said "apt-get install linux-image-$1-dbg"
# The right one is accepted.
ln -sf "/usr/lib/debug/boot/vmlinux-$1" tree/vmlinux
ktap -r "$PWD/tree" -p2 -e 'probe kernel.function("vfs_read") { }'
accepted

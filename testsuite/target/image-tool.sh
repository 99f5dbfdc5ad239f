#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# BTF is read in the boot image where no vmlinux is installed, and a missing program that unpacks the image is named.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
unshare -m true 2>/dev/null || { echo "a mount namespace needs root"; exit 77; }
command -v lz4 >/dev/null || { echo "lz4 is not installed"; exit 77; }
R=
for kernel in $(debug_kernels); do
	! grep -qx CONFIG_KERNEL_LZ4=y "/boot/config-$kernel" || R=$kernel
done
test -n "$R" || { echo "no kernel is packed by lz4"; exit 77; }
mkdir empty
mkdir -m 700 cache

# analyse PATH: with PATH, and the kernel's debugging information out of sight.
analyse()
{
	status=0
	KTAP_CACHE_DIR=$PWD/cache R=$R unshare -m sh -c '
		mount --bind empty /usr/lib/debug && PATH=$1 &&
		exec "$KTAP" -r "$R" -p2 -e "probe kernel.function(\"vfs_read\") { println(\$count) }"' sh "$1" >out 2>err || status=$?
}
analyse "$PWD/empty"
refused no-debuginfo
said "note: BTF of /boot/vmlinuz-$R cannot be read: program 'lz4', which unpacks it, is not installed"
analyse "$PATH"
accepted

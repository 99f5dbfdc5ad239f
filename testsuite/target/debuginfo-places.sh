#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The debugging information of a kernel is found where distributions have it. That of SUSE is a file of its own, without the kernel's code.
. "$SRCDIR/testsuite/lib/target.sh"
command -v objcopy >/dev/null || exit 77
test "$(id -u)" = 0 || { echo "only root can mount"; exit 77; }
trap 'rm -f separate whole' EXIT

# listed FILE PLACE: what of the kernel is found with FILE in PLACE and nothing else below /usr/lib/debug is in `out`.
listed()
{
	status=0
	unshare -m sh -c 'mount --bind "$3" whole && mount -t tmpfs tmpfs /mnt && mkdir -p "/mnt/${2%/*}" && ln -s "$1" "/mnt/$2" && mount --bind /mnt /usr/lib/debug && shift 3 &&
		exec "$0" "$@"' "$KTAP" "$PWD/$1" "$2" "$vmlinux" -r "$R" --debuginfo=dwarf -L 'kernel.function("vfs_*"), kernel.function("vfs_*").return,
		kernel.statement("vfs_read@*:*"), kernel.function("fdget*").inline' >out 2>err </dev/null || status=$?
}

vmlinux=$(ls /usr/lib/debug/boot/vmlinux-*-cloud-* 2>/dev/null | head -n 1)
test -n "$vmlinux" || { echo "no kernel has debugging information"; exit 77; }
R=${vmlinux##*/vmlinux-}
touch whole
objcopy --only-keep-debug "$vmlinux" separate
listed whole "boot/vmlinux-$R"
accepted
printed '^kernel.function("vfs_read@fs/read_write.c:[0-9]*").* \$file:struct file\*'
mv out expected
for place in "lib/modules/$R/vmlinux" "usr/lib/modules/$R/vmlinux"; do
	listed whole "$place"
	cmp expected out || fail "another answer with the kernel in $place"
done
for place in "usr/lib/modules/$R/vmlinux.debug" "boot/vmlinux-$R.debug"; do
	listed separate "$place"
	cmp expected out || fail "another answer with the file in $place"
done
listed separate "usr/share/vmlinux.debug"
refused no-debuginfo

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm finds images where other distributions have them, checks that one without a release in its name is the right one, and
# takes the newest installed kernel that a part of a release names.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
test "$(id -u)" = 0 || { echo "only root can mount"; exit 77; }
release=$(kernels)
release=${release%% *}
other=$(ls /lib/modules | grep -v -x -F "$release" | head -n 1)

# boots PLACE IMAGE: with IMAGE at PLACE and with an empty /boot otherwise, the short name boots RELEASE. The kernels that the suite finds
# there are in `found`.
boots()
{
	status=0
	timeout 600 unshare -m sh -c 'mount -t tmpfs tmpfs /mnt && cp "$2" /mnt/image && mount -t tmpfs tmpfs /boot &&
		mkdir -p /mnt/modules && cp -a "/lib/modules/$3" /mnt/modules && mount --bind /mnt/modules /lib/modules &&
		cp /mnt/image "$1" && perl -I "$SRCDIR/testsuite/lib" -MVm -e "print map { qq(\$_\n) } Vm::all_kernels()" >found &&
		exec "$0" --vm="${3%%-*}" --vm-exec "uname -r"' \
		"$KTAP" "$1" "$2" "$release" >out 2>err </dev/null || status=$?
}

boots "/boot/vmlinuz-${release##*-}" "/boot/vmlinuz-$release"
accepted
printed "^$release\$"
boots "/lib/modules/$release/vmlinuz" "/boot/vmlinuz-$release"
accepted
printed "^$release\$"
test "$(cat found)" = "$release" || fail "the suite finds $(cat found)"
if [ -n "$other" ] && [ -r "/boot/vmlinuz-$other" ]; then
	boots "/boot/vmlinuz-${release##*-}" "/boot/vmlinuz-$other"
	refused no-kernel
fi
# A kernel that xz packed is started unpacked where its CPU is emulated: it is where it was linked, and no boot code moved it.
for rt in /lib/modules/*-rt-amd64; do
	if [ -d "$rt" ] && [ ! -w /dev/kvm ]; then
		ktap --vm="${rt##*/}" --vm-exec 'grep " _text$" /proc/kallsyms'
		accepted
		printed '^ffffffff81000000 T _text$'
	fi
done

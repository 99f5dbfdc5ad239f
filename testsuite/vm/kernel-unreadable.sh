#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel whose image or System.map this user may not read, as on Ubuntu, is not called missing: the file and the command that lets the
# user read it are named. Of a kernel that is not installed no package is named that may not exist, but the command that lists packages.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
test "$(id -u)" = 0 || { echo "only root can mount"; exit 77; }
release=$(kernels)
release=${release%% *}

# hidden MODE ARGUMENT...: ktap as a user for whom the files in /boot have mode 0600 and the directory has MODE; no other place has an image
# or debugging information (6.12's headers have a vmlinux with BTF).
hidden()
{
	mode=$1
	shift
	status=0
	unshare -m sh -c 'mount -t tmpfs tmpfs /boot && head -c 10000 /dev/zero | tee "/boot/vmlinuz-$1" >"/boot/System.map-$1" && chmod 600 /boot/* &&
		chmod "$2" /boot && mount -t tmpfs -o mode=755 tmpfs /mnt && mkdir -p "/mnt/modules/$1/build" /mnt/debug &&
		touch "/mnt/modules/$1/modules.dep" && build=$(readlink -f "/lib/modules/$1/build") &&
		ln -s "$build"/* "$build/.config" "/mnt/modules/$1/build" && rm -f "/mnt/modules/$1/build/vmlinux" &&
		mount --bind /mnt/modules /lib/modules && mount --bind /mnt/debug /usr/lib/debug && shift 2 &&
		exec setpriv --reuid=65534 --regid=65534 --clear-groups env KTAP_CACHE_DIR=/nonexistent "$0" "$@"' \
		"$KTAP" "$release" "$mode" "$@" >out 2>err </dev/null || status=$?
}

for vm in --vm "--vm=${release%%-*}" "--vm=$release"; do
	hidden 755 "$vm" --vm-exec true
	refused no-kernel
	said "kernel $release is installed, but its image cannot be read: /boot/vmlinuz-$release: Permission denied"
	said "let this user read it: .*chmod +r /boot/vmlinuz-$release\$"
	! grep -q 'apt-get\|none has' err || fail "an installed kernel is called missing"
done
# A directory that may not be searched.
hidden 700 --vm --vm-exec true
refused no-kernel
said "/boot/vmlinuz-$release: Permission denied"
said "let this user read it: .*chmod +x /boot\$"
hidden 755 doctor
printf '%s\n' "$(grep '^vm-kernel ' out)" | grep -q "error.*the image of $release cannot be read by this user; run: .*chmod +r /boot/vmlinuz-$release" ||
	fail "ktap doctor does not say why it cannot boot"
# BTF is in the image, and addresses are in System.map.
hidden 755 -r "$release" -l 'kernel.function("vfs_read")'
refused no-debuginfo
said 'note: its image may have BTF, but this user may not read it'
said "/boot/vmlinuz-$release: Permission denied; let this user read it: .*chmod +r /boot/vmlinuz-$release\$"
hidden 755 -r "$release" -p2 -e 'probe kernel.data("jiffies").write { }'
refused no-debuginfo
said 'its System.map cannot be read'
said "/boot/System.map-$release: Permission denied; let this user read it: .*chmod +r /boot/System.map-$release\$"

# not_named WORD...: where packages can be listed, the command for it was said, with a pattern that matches the name.
not_named()
{
	test -e /etc/debian_version || return 0
	said "packages of such kernels are listed by: apt-cache search --names-only '^linux-(image|headers)-$1'"
	pattern=$(sed -n "s/.*--names-only '\(.*\)'\$/\1/p" err)
	printf 'linux-headers-%s\n' "$wanted" | grep -qxE "$pattern" || fail "'$pattern' does not match $wanted"
	! grep -q "install linux-" err || fail "a package that does not exist is named"
}
wanted=${release%%.*}.999
ktap --vm="$wanted" --vm-exec true
refused no-kernel
said "installed: .*$release"
not_named "$wanted"
wanted=${release%%.*}.999.3+deb12-cloud-amd64
ktap --vm="$wanted" --vm-exec true
refused no-kernel
not_named "${release%%.*}.999.3.deb12-cloud-amd64"
ktap -r "$wanted" -p4 -e 'probe begin { }'
refused no-kernel
not_named "${release%%.*}.999.3.deb12-cloud-amd64"

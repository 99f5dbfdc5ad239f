#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm-root: files of that directory stand before the host's. It must have ktap's own two programs for the kernel's architecture.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
root=$PWD/root
mkdir -p "$root/etc" "$root$BUILDDIR"
echo shadowed >"$root/etc/hostname"

ktap --vm="$release" --vm-root="$root" --vm-exec true
refused vm
said "there is no program $root$BUILDDIR/vm-init for"
cp "$BUILDDIR/vm-init" "$BUILDDIR/ktaprun" "$root$BUILDDIR"
# The field e_machine of a program for SPARC.
printf '\002\000' | dd of="$root$BUILDDIR/ktaprun" bs=1 seek=18 conv=notrunc 2>/dev/null
ktap --vm="$release" --vm-root="$root" --vm-exec true
refused vm
said "$root$BUILDDIR/ktaprun is not for"
cp "$BUILDDIR/ktaprun" "$root$BUILDDIR"
ktap --vm="$release" --vm-root=root --vm-exec true
refused vm
ktap --vm-root="$root" -e 'probe begin { exit() }'
refused usage

# Programs that only it has can be probed.
echo below >here
mkdir -p "$root/opt"
cp /usr/bin/cat "$root/opt/only-in-root"
ktap --vm="$release" --vm-root="$root" \
	-e 'probe begin { system("cat /etc/hostname here; echo x >/etc/hostname; /opt/only-in-root /etc/hostname") }
	    probe process("/opt/only-in-root").end { println(execname()) exit() }'
accepted
for line in shadowed below x only-in-root; do
	printed "^$line\$"
done
KTAP_VM_ROOT=$root ktap -p2 -r "$release" -e 'probe process("/opt/only-*").end { exit() }'
accepted
printed 'process("/opt/only-in-root").end'
test "$(cat root/etc/hostname)" = shadowed || fail "the root was written"

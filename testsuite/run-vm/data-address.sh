#!/bin/sh
# A watchpoint at an address of the running kernel, which stands where it was linked; and five of them in two sessions:
# the fifth finds no free debug register, is a warning, and the rest run.
set -e
ran=
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for image in /boot/vmlinuz-*; do
	release=${image#/boot/vmlinuz-}
	map=/usr/lib/debug/boot/System.map-$release
	[ -e "/lib/modules/$release/build/Makefile" ] && [ -e "$map" ] || continue
	address=$(sed -n 's/ [A-Za-z] panic_timeout$//p' "$map")
	[ "$address" ] || { echo "no panic_timeout in $map"; exit 1; }
	"$KTAP" -p4 -m kt_address -r "$release" -e "
probe kernel.data(0x$address).length(4).write { println(kernel_int(0x$address)) }
probe kernel.data(0xffffffff81000000).rw, kernel.data(0xffffffff81000010).rw { next }
probe kernel.data(0xffffffff81000020).length(8).rw { next }" >/dev/null
	"$KTAP" -p4 -m kt_fifth -r "$release" >/dev/null -e '
probe kernel.data("panic_on_oops").write { println("impossible") }
probe begin { println("runs") }'
	"$BUILDDIR/ktap-vm" -n -t 240 -a nokaslr "$release" -- sh -c "
		$BUILDDIR/ktaprun -c 'echo 41 >/proc/sys/kernel/panic; $BUILDDIR/ktaprun -c true kt_fifth.ko' kt_address.ko
		dmesg | grep -E 'BUG:|WARNING: CPU|Oops|Call Trace' >&2" >out 2>err || :
	printf '%s\n' 41 runs | cmp - out || { echo "$release: $(cat out err)"; exit 1; }
	grep -q 'panic_on_oops.*registration error.*: other programs have taken the debug registers' err || { echo "$release: the fifth: $(cat err)"; exit 1; }
	! grep -E 'BUG:|WARNING: CPU|Oops|Call Trace' err || exit 1
	ran=1
done
[ "$ran" ] || exit 77

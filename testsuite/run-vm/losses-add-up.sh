#!/bin/sh
# Under load, on two CPUs: the hits that handlers saw and those that the session reports as skipped are together the calls
# that were made, for entries that fight for a lock, and for returns with room for one call at a time. Each lost hit is in
# exactly one counter.
set -e
ran=
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# getpgid(2) is what nothing else calls: 61 rounds of 500 by each of two
gcc -O2 -static -o load "$SRCDIR/testsuite/bench/getpgid.c"
for image in /boot/vmlinuz-*; do
	release=${image#/boot/vmlinuz-}
	[ -e "/lib/modules/$release/build/Makefile" ] || continue
	"$KTAP" -p4 --debuginfo=btf -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -m kt_lock -r "$release" >/dev/null -e '
global n, last
probe kprobe.function("__x64_sys_getpgid") { for (i = 0; i < 20; i++) last = tid() * n; n++ }
probe end { println("seen ", n) }'
	"$KTAP" -p4 --debuginfo=btf -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -m kt_return -r "$release" >/dev/null -e '
global n, last
probe kprobe.function("__x64_sys_getpgid").return.maxactive(1) { for (i = 0; i < 20; i++) last = tid() * n; n++ }
probe end { println("seen ", n) }'
	for m in kt_lock kt_return; do
		"$BUILDDIR/ktap-vm" -n -t 240 "$release" -- "$BUILDDIR/ktaprun" -v -c "sh -c './load & ./load & wait'" $m.ko \
			>out 2>err || { cat out err; exit 1; }
		seen=$(sed -n 's/^seen //p' out)
		lost=$(sed -n 's/.*skipped probes: //p' err)
		[ "$((seen + ${lost:-0}))" = 61000 ] || {
			echo "$release, $m: seen ${seen:-nothing}, lost ${lost:-0}, expected 61000 in all"
			cat err
			exit 1
		}
		echo "$release $m: seen $seen, lost ${lost:-0}"
	done
	ran=1
done
[ "$ran" ] || exit 77

#!/bin/sh
# ktaprun killed by SIGKILL ten times in a row: each next run finds the module gone or removes it, lsmod is clean after the
# last one, and the kernel has nothing to complain of.
#
# Runs itself inside the VM with the words `guest KTAPRUN MODULE`.

guest() {
	run=$1 module=$2 name=$(basename "$2" .ko)
	for i in 1 2 3 4 5 6 7 8 9 10; do
		: >/tmp/out
		"$run" "$module" >/tmp/out 2>/tmp/err &
		pid=$!
		tries=0
		while [ ! -s /tmp/out ] && [ $tries -lt 200 ]; do
			sleep 0.05
			tries=$((tries + 1))
		done
		[ -s /tmp/out ] || { echo "round $i printed nothing: $(cat /tmp/err)"; exit 1; }
		kill -9 $pid
		wait $pid 2>/dev/null
		[ "$(cat /sys/module/$name/parameters/ktap_state)" = stopped ] ||
			{ echo "round $i: the module did not notice that its reader is gone"; exit 1; }
	done
	"$run" -T 0.3 "$module" >/tmp/out || { echo "the run after ten kills failed"; exit 1; }
	grep -q "^$name " /proc/modules && { echo "the module is still loaded"; exit 1; }
	: >/tmp/out
	"$run" "$module" >/tmp/out 2>/tmp/err &
	pid=$!
	while [ ! -s /tmp/out ]; do sleep 0.05; done
	"$run" -d "$name" 2>/dev/null && { echo "-d removed a module that is in use"; exit 1; }
	kill -9 $pid
	wait $pid 2>/dev/null
	"$run" -d "$name" || { echo "-d did not remove the module"; exit 1; }
	if dmesg | grep -E 'BUG:|WARNING:|Oops|unpatched|Call Trace|blocked for more'; then
		echo "the kernel complains"
		exit 1
	fi
	exit 0
}

if [ "$1" = guest ]; then
	guest "$2" "$3"
fi

set -e
ran=
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for image in /boot/vmlinuz-*; do
	release=${image#/boot/vmlinuz-}
	[ -e "/lib/modules/$release/build/Makefile" ] || continue
	"$KTAP" -p4 -m kt_kill9 -r "$release" -e '
global n
probe begin { println("started") }
probe kernel.function("vfs_read"), kernel.function("vfs_read").return { n++ }
probe timer.ms(5) { printf("%d %s\n", n, execname()) }
probe end { println("not reached by SIGKILL") }'
	"$BUILDDIR/ktap-vm" -n -t 120 "$release" -- sh "$SRCDIR/testsuite/run-vm/kill9.sh" guest \
		"$BUILDDIR/ktaprun" "$dir/kt_kill9.ko"
	ran=1
done
[ "$ran" ] || exit 77

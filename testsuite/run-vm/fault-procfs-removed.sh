#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Files of procfs probes go with their session, also while a program holds one open, and count as its memory; the folder goes with the last module;
# and standard input comes to input probes, by character and by line.
#
# Runs itself inside the VM with the words `guest KTAPRUN MODULE INPUT`.

guest() {
	run=$1 module=$2 input=$3
	"$run" "$module" >/tmp/one & one=$!
	until [ -e /proc/systemtap/kt_files/file ]; do sleep 0.1; done
	"$run" "$module" >/tmp/two & two=$!
	until [ "$(ls -d /proc/systemtap/*/file | wc -l)" = 2 ]; do sleep 0.1; done
	[ "$(cat /proc/systemtap/*/file | sort | uniq -c | tr -s ' ')" = " 2 text" ] || { echo "not two files: $(ls -R /proc/systemtap)"; exit 1; }
	exec 5</proc/systemtap/kt_files/file
	kill -INT $one
	wait $one
	[ "$(ls /proc/systemtap | wc -l)" = 1 ] || { echo "left: $(ls /proc/systemtap)"; exit 1; }
	[ ! -d /proc/systemtap/kt_files ] || { echo "the wrong one went"; exit 1; }
	cat <&5 >/tmp/late 2>&1 && { echo "reading a removed file succeeds: $(cat /tmp/late)"; exit 1; }
	setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-all cat /proc/systemtap/*/file 2>/tmp/denied &&
		{ echo "root without capabilities, as in a container, reads a file"; exit 1; }
	grep -q 'not permitted' /tmp/denied || { cat /tmp/denied; exit 1; }
	[ "$(setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-all cat /proc/systemtap/*/open | sort -u)" = text ] || { echo "nobody reads an open file"; exit 1; }
	# The buffers of open files are memory of who opens them: 400 of 64 KB.
	if echo +memory >/sys/fs/cgroup/cgroup.subtree_control; then
		mkdir /sys/fs/cgroup/reader
		used=$(sh -c 'echo $$ >/sys/fs/cgroup/reader/cgroup.procs; exec perl -e "$1"' sh '
			for my $i (1 .. 400) { open($f[$i], "<", glob("/proc/systemtap/*/large")) or die "$!" }
			open($m, "<", "/sys/fs/cgroup/reader/memory.current") and print <$m>')
		[ "$used" -gt 25000000 ] || { echo "400 open files are $used bytes of their reader"; exit 1; }
	fi
	kill -INT $two
	wait $two
	[ ! -e /proc/systemtap ] || { echo "left: $(ls -R /proc/systemtap)"; exit 1; }
	exec 5<&-
	printf 'ab\nlast line\nx' | "$run" "$input" >/tmp/kt-out || { echo "input: status $?"; exit 1; }
	printf 'line ab\nline last line\nchars 14, a 2, newlines 2\n' | cmp - /tmp/kt-out || { cat /tmp/kt-out; exit 1; }
	grep -q kt_ /proc/modules && { echo "modules left"; exit 1; }
	dmesg | grep -A20 -e WARNING: -e BUG: -e Oops && exit 1
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
cat >files.stp <<'END'
probe procfs("file").read { $value = "text\n" }
probe procfs("open").umask(022).read { $value = "text\n" }
probe procfs("large").read.maxsize(65000) { $value = "text\n" }
END
cat >input.stp <<'END'
global chars, n
probe input.char
{
	n++
	chars[char]++
	if (char == "x") {
		printf("chars %d, a %d, newlines %d\n", n, chars["a"], chars["\n"])
		exit()
	}
}
probe input.line { print("line ", line) }
END
need_kernel
for release in $(kernels); do
	ktap -r "$release" -p4 -m kt_files files.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	ktap -r "$release" -p4 -m kt_input input.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 600 "$release" -- sh "$0" guest "$BUILDDIR/ktaprun" "$PWD/kt_files.ko" "$PWD/kt_input.ko" >out 2>err </dev/null ||
		fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done

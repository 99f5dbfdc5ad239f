#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -S: output in files of a bounded size, of which the last stay, each with whole lines. -D, which -F is: the session runs in the
# background, SIGUSR2 begins the next file, SIGTERM ends it. Files with a number, of -S and --bulk, are not opened through symbolic links.
#
# ktap -F does the same with a script: nothing is compiled in the guest, which finds the module in the host's cache.
# Runs itself inside the VM with the words `guest KTAPRUN FOLDER KTAP CACHE`.

# The host's /tmp, which the guest sees, may have files of any name.
out_dir=/tmp/ktap-output-files.$$

. "$(dirname "$0")/../lib/guest.sh"

# 3,600 lines of 1,000 bytes in files of 1,048,576: 1,048 whole lines in each, 456 in the fourth.
rotation() {
	"$1" -S 1,2 -o $out_dir/cut "$2/kt_lines.ko" || { echo "status $?"; exit 1; }
	[ "$(cd $out_dir && echo cut*)" = "cut.2 cut.3" ] || { ls -l $out_dir; exit 1; }
	[ "$(wc -c <$out_dir/cut.2) $(wc -c <$out_dir/cut.3)" = "1048000 456000" ] || { ls -l $out_dir/cut*; exit 1; }
	[ "$(head -c 6 $out_dir/cut.2) $(tail -n 1 $out_dir/cut.2 | head -c 6)" = "002096 003143" ] || { echo "wrong lines"; exit 1; }
	[ "$(head -c 6 $out_dir/cut.3) $(tail -n 1 $out_dir/cut.3 | head -c 6)" = "003144 003599" ] || { echo "wrong lines"; exit 1; }
	"$1" -S 1 -o "$out_dir/all-%%" "$2/kt_lines.ko" || { echo "status $?"; exit 1; }
	[ "$(cd $out_dir && echo all-*)" = "all-%.0 all-%.1 all-%.2 all-%.3" ] || { ls -l $out_dir; exit 1; }
	[ "$(cat $out_dir/all-* | wc -c)" = 3600000 ] || { ls -l $out_dir; exit 1; }
}

# The file of -o is one that the user named, so a link leads to it. The names with numbers are ours.
links() {
	echo mine >$out_dir/mine
	for name in first.0 second.1 bulk.1; do ln -s mine $out_dir/$name; done
	for options in "-S 1 -o first" "-S 1 -o second" "--bulk -o bulk"; do
		(cd $out_dir && "$1" $options "$2/kt_lines.ko") 2>$out_dir/kt-err && { echo "$options: a link was followed"; exit 1; }
		[ "$(cat $out_dir/mine)" = mine ] || { echo "$options: a link was followed"; exit 1; }
		grep -q "error: cannot write '.*\.[01]': it is a symbolic link" $out_dir/kt-err || { cat $out_dir/kt-err; exit 1; }
		! grep '^kt_' /proc/modules || { echo "$options: a module is left"; exit 1; }
	done
	ln -s mine $out_dir/named
	"$1" -o $out_dir/named "$2/kt_lines.ko" && [ "$(wc -l <$out_dir/mine)" = 3600 ] || { echo "-o does not follow a link"; exit 1; }
}

# The process PID recorded in $out_dir/rec from its begin on.
recording() {
	pid=$1
	until_true "grep -q began $out_dir/rec"
	kill -0 "$pid" || { echo "process $pid is not there"; exit 1; }
	kill -USR2 "$pid"
	until_true "[ -e $out_dir/rec.1 ]"
	kill -TERM "$pid"
	until_true "! kill -0 $pid 2>/dev/null"
	! grep -q '^kt_\|^ktap_' /proc/modules || { cat /proc/modules; exit 1; }
	[ "$(cat $out_dir/rec)" = began ] || { cat $out_dir/rec; exit 1; }
	[ "$(cat $out_dir/rec.1)" = "$(printf 'ended\nWARNING: told late')" ] || { cat $out_dir/rec.1; exit 1; }
	rm -f $out_dir/rec*
}

guest() {
	mkdir $out_dir
	rotation "$1" "$2"
	links "$1" "$2"
	recording "$("$1" -D -o $out_dir/rec "$2/kt_record.ko")"
	recording "$(KTAP_CACHE_DIR=$4 "$3" -F -o $out_dir/rec "$2/record.stp")"
	# What ends before it runs is no daemon.
	out=$("$1" -D -o $out_dir/rec "$2/kt_fails.ko" 2>$out_dir/kt-err) && { echo "a failed start succeeded"; exit 1; }
	[ -z "$out" ] || { echo "printed $out"; exit 1; }
	grep -q 'ERROR: no start' $out_dir/kt-err || { cat $out_dir/kt-err; exit 1; }
	"$1" -D "$2/kt_record.ko" 2>$out_dir/kt-err && exit 1
	grep -q 'needs -o FILE' $out_dir/kt-err || { cat $out_dir/kt-err; exit 1; }
	for bad in 0 1, 1,0 x 1x; do
		"$1" -S $bad -o $out_dir/x "$2/kt_record.ko" 2>$out_dir/kt-err && exit 1
		grep -q 'error: -S' $out_dir/kt-err || { cat $out_dir/kt-err; exit 1; }
	done
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
need_native
cat >lines.stp <<'END'
probe begin { for (i = 0; i < 3600; i++) printf("%06d %0992d\n", i, 0) exit() }
END
echo 'probe begin { println("began") } probe timer.s(1000) { } probe end { println("ended") warn("told late") }' >record.stp
echo 'probe begin { error("no start") }' >fails.stp
for release in $(kernels); do
	for script in lines record fails; do
		ktap -r "$release" -p4 -m kt_$script $script.stp
		[ "$status" = 0 ] || fail "cannot build for $release"
	done
	ktap -r "$release" -p4 "$PWD/record.stp"
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 1200 "$release" -- sh "$0" guest "$BUILDDIR/ktaprun" "$PWD" "$KTAP" "$KTAP_CACHE_DIR" >out 2>err </dev/null ||
		fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done

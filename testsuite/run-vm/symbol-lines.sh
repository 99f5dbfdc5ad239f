#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Source lines of the kernel and of a module, which goes and comes back while a session runs: what addr2line says of the
# addresses as linked, at a function's entry and where calls are. Without debugging information it is the address, and one
# warning says what to install.
. "$SRCDIR/testsuite/lib/process.sh"

cat >lines.stp <<'END'
probe kernel.function("vfs_read").call {
	if (pid() == target()) {
		a = addr()
		printf("entry %s %s %s:%s\n", symdata(a), symfileline(a), symfile(a), symline(a))
		print_backtrace_fileline()
		println("none ", symfileline(16), symfile(-1), symline(0x7fffffffffffffff))
	}
}
END
cat >module.stp <<'END'
probe module("loop").function("loop_control_ioctl").call {
	if (symfile(addr()) != sprintf("0x%x", addr())) {
		print_backtrace_fileline()
		exit()
	}
}
END

# compare SYMBOL+OFFSET BACK FILE:LINE: addr2line says the same of the address BACK before it, as linked in the file $debug.
compare()
{
	symbol=$(nm "$debug" | awk -v name="${1%%+*}" '$3 == name { print $1; n++ } END { exit n != 1 }') || fail "$1: '$symbol'"
	offset=${1#*+}
	at=$(perl -e 'printf "0x%x", hex($ARGV[0]) + hex($ARGV[1]) - $ARGV[2]' "$symbol" "${offset%%/*}" "$2")
	truth=$(addr2line -e "$debug" "$at" | sed 's/ (discriminator.*//')
	case $truth in
	"$3"|*/"$3") ;;
	*) fail "$release: $1 is $3, addr2line says $truth of $at" ;;
	esac
	compared=$((compared + 1))
}

# check_frames: those of print_backtrace_fileline() in `out` that have lines, which are in the kernel, or in loop.
check_frames()
{
	sed -n 's/^ 0x[0-9a-f]* : \([^ ]*\) at \([^ ]*\) \[\([^ ]*\)\]$/\1 \2 \3/p' out >frames
	back=0
	while read -r symbol where module; do
		debug=$vmlinux
		test "$module" = kernel || debug=$loop
		compare "$symbol" "$back" "$where"
		back=1
	done <frames
}

# Loads the module in a loop, and while a session runs.
module_sessions()
{
	in_guest 'modprobe loop || exit
		(until [ -e /tmp/over ]; do losetup -f; done) >/dev/null 2>&1 &'
	session module module.stp
	in_guest 'touch /tmp/over; wait; rm /tmp/over; rmmod loop'
	session reloaded -c 'sh -c "modprobe loop; until losetup -f && ! grep -qs running /sys/module/kt_reloaded/parameters/ktap_state; do :; done; rmmod loop"' module.stp
}

vm_options=-k
for release in $(kernels); do
	vmlinux=/usr/lib/debug/boot/vmlinux-$release
	loop=/usr/lib/debug/lib/modules/$release/kernel/drivers/block/loop.ko
	# A debug kernel, which was built here. Its modules are stripped.
	test -e "$vmlinux" || vmlinux=/lib/modules/$release/build/vmlinux
	session kernel -c "cat /etc/hostname" lines.stp
	if [ ! -e "$vmlinux" ]; then
		boot
		result kernel
		grep '^WARNING: Source lines' err >warnings
		test "$(wc -l <warnings)" = 1 && grep -q "apt-get install linux-image-$release-dbg" warnings || fail "$(cat err)"
		printed '^entry vfs_read+0x0/0x[0-9a-f]* \[kernel\] \(0x[0-9a-f]*\) \1:\1$'
		printed '^ 0x[0-9a-f]* : vfs_read+0x0/0x[0-9a-f]* \[kernel\]$'
		printed '^none 0x100xffffffffffffffff0x7fffffffffffffff$'
		continue
	fi
	modules=
	case $vmlinux in
	/usr/lib/debug/*) modules="module reloaded" ;;
	esac
	test -z "$modules" || test -e "$loop" || fail "no $loop"
	test -z "$modules" || module_sessions
	boot
	compared=0
	result kernel
	! grep WARNING err || fail "a warning on $release"
	read -r _ symbol _ where both <<-END
	$(grep '^entry' out | head -n 1)
	END
	test "$where" = "$both" || fail "entry: $where, $both: $(cat out err)"
	debug=$vmlinux
	compare "$symbol" 0 "$where"
	grep '^ 0x' out | awk '/: vfs_read\+/ && n++ { exit } { print }' >first && mv first out
	check_frames
	test "$compared" -ge 4 || fail "$compared frames on $release"
	for name in $modules; do
		compared=0
		result "$name"
		! grep WARNING.*lines err || fail "a warning on $release"
		printed '^ 0x[0-9a-f]* : loop_control_ioctl+0x0/0x[0-9a-f]* at drivers/block/loop.c:[0-9]* \[loop\]$'
		grep '^ 0x' out | awk '/: loop_control_ioctl\+/ && n++ { exit } { print }' >first && mv first out
		check_frames
		test "$compared" -ge 3 || fail "$compared frames of $name on $release"
	done
	echo "$release: ok"
done

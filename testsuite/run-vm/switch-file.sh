#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# switch_file(): what is printed behind it goes to the next file of -o, and what was before it stays in its own.
#
# Runs itself inside the VM with the words `guest KTAPRUN MODULE`.

guest() {
	"$1" -o /tmp/kt-out "$2" || { echo "status $?"; exit 1; }
	[ "$(cat /tmp/kt-out /tmp/kt-out.1 /tmp/kt-out.2)" = "$(printf 'one\ntwo\nthree')" ] || { head /tmp/kt-out*; exit 1; }
	[ "$(cat /tmp/kt-out.1)" = two ] || { head /tmp/kt-out*; exit 1; }
	"$1" "$2" 2>&1 | grep -q 'WARNING: switch_file(): there is no file of -o' || { echo "no warning"; exit 1; }
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
cat >switch.stp <<'END'
probe begin { println("one") switch_file() println("two") switch_file() println("three") exit() }
END
need_kernel
for release in $(kernels); do
	ktap -r "$release" -p4 -m kt_switch switch.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 600 "$release" -- sh "$0" guest "$BUILDDIR/ktaprun" "$PWD/kt_switch.ko" >out 2>err </dev/null ||
		fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A VM that does not answer, stopped here as by a kernel that hangs, is ended by one signal to ktap-vm, which says so.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
: >out
"$BUILDDIR/ktap-vm" -n "$(kernels)" -- sh -c 'echo up; sleep 1000' >out 2>err &
vm=$!
trap 'kill -KILL $vm 2>/dev/null' EXIT
until_says $vm up out "the VM did not come up"
qemu=$(pgrep -P $vm qemu)
kill -STOP "$qemu"
kill -TERM $vm
wait $vm
status=$?
grep -q 'error: the VM does not answer \[vm\]' err || fail "no word of it: $(cat err)"
test "$status" = 125 || fail "exit status $status"
! kill -0 "$qemu" 2>/dev/null || fail "QEMU is still there"

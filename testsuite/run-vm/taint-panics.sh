#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a kernel that panics on the taint of a module out of its tree, ktaprun loads nothing, and with --force-taint the machine panics as
# foreseen. Lockdown is named though securityfs is mounted nowhere.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
ktap -r "$release" -p4 -m panics -e 'probe begin { println("loaded") exit() }'
accepted

# boot ARGUMENTS COMMAND: in a guest whose kernel gets the arguments.
boot()
{
	status=0
	env -u KTAP_VM_CONSOLE "$BUILDDIR/ktap-vm" -n -t 600 -a "$1" "$release" -- sh -c "$2" >out 2>err </dev/null || status=$?
}

boot panic_on_taint=0x1000 "'$BUILDDIR/ktaprun' panics.ko; echo status \$? >&2; cat /proc/sys/kernel/tainted; '$BUILDDIR/ktaprun' --force-taint panics.ko"
printed '^0$'
said 'error: cannot load modules: the kernel was booted with panic_on_taint, .* (taint flags 0x1000) \[run\]'
said '^status 1$'
said 'Kernel panic .* panic_on_taint'
! grep -q loaded out || fail "the session ran"
test "$status" = 125 || fail "the machine did not panic: status $status"

boot panic_on_taint=0x200 "'$BUILDDIR/ktaprun' panics.ko"
accepted
printed '^loaded$'

boot lockdown=integrity "test ! -e /sys/kernel/security/lockdown && '$BUILDDIR/ktaprun' panics.ko"
test "$status" = 1 || fail "exit status $status"
said 'note: the kernel is locked down (integrity), as with Secure Boot'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ftrace shuts itself down while a session has functions probed: it then unregisters nothing, and the kernel goes on calling the probes, those
# of ftrace and kprobes at the entries of functions. The session ends and says that its module stays loaded. The machine goes on, and so
# does the next session.
. "$SRCDIR/testsuite/lib/process.sh"

cat >guest <<'END'
cd "$(dirname "$0")" || exit
failed() { echo "FAILED: $*"; cat out err; dmesg | tail -n 40; exit 1; }
# functions run that are still probed
use() { for i in 1 2 3 4 5 6 7 8 9 10; do cat /etc/hostname | tr a b >/dev/null || failed "no commands"; done; }

"$KTAPRUN" kt_dead.ko >out 2>err </dev/null
status=$?
[ $status = 1 ] || failed "status $status"
grep -qx 'end 1' out || failed 'no end'
grep -q 'WARNING: the kernel does not let go of all places, see dmesg: the module stays loaded' err || failed 'no warning'
grep -q "error: cannot remove module 'kt_dead': it stays loaded until the next boot" err || failed 'no error'
use
[ "$(cat /sys/module/kt_dead/parameters/ktap_state)" = stays ] || failed 'no state'
# the name is taken, which nobody waits for; a few functions can still be probed, those whose kprobes stay
"$KTAPRUN" -v kt_dead.ko >out 2>err </dev/null
status=$?
[ $status = 0 ] && grep -q '^end ' out || failed "another session: status $status"
grep -q "this session is module 'kt_dead_2'" err || failed 'no other name'
! grep -q 'waiting for an earlier session' err || failed 'it waited'
use
"$KTAPRUN" -d kt_dead >out 2>err && failed 'it was removed'
grep -q "cannot remove module 'kt_dead': it stays loaded" err || failed 'not said by -d'
"$KTAPRUN" -d '*' >out 2>err || failed "-d '*'"
[ "$(lsmod | grep -c '^kt_')" = 1 ] || failed "loaded: $(lsmod)"
use
# kprobes warn of what they cannot unregister
! dmesg | grep -E 'BUG:|WARNING:|Oops|general protection|blocked for more' | grep -v 'WARNING: .* kernel/kprobes\.c' || failed 'the kernel complains'
echo passed
END

for release in $(kernels); do
	module dead -g -e 'global n
		probe kernel.function("vfs_read").call, kernel.function("vfs_write").call, kernel.function("vfs_read").return { n++ }
		probe kernel.function("ksys_read").callee("vfs_read"), kernel.function("ksys_pread64").callee("vfs_read") { n++ }
		probe kernel.function("ksys_write").callee("vfs_write"), kernel.function("ksys_read").callee("vfs_read").return { n++ }
		probe kernel.function("do_sys_openat2").callee("do_filp_open").return { n++ }
		probe timer.ms(500) { if (!n) next; @var("ftrace_disabled@kernel/trace/ftrace.c") = 1; exit() }
		probe end { println("end ", n > 0) }'
	env -u KTAP_VM_CONSOLE "$BUILDDIR/ktap-vm" -n -t 600 "$release" -- sh -c "KTAPRUN='$BUILDDIR/ktaprun' sh '$PWD/guest'" >out 2>err </dev/null &&
		grep -qx passed out || fail "in the VM of $release"
done

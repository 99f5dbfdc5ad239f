#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap -i with --vm, and as root where modules can be loaded: a script with a probe of the kernel runs, changes, and runs again.
. "$SRCDIR/testsuite/lib/sh.sh"

need_kernel
release=$(kernels)
release=${release%% *}
cat >lines <<'END'
global reads
probe kernel.function("vfs_read") { reads++ }
probe end { println(reads > 0 ? "reads" : "none") }
set -c "cat /proc/stat"
run
function f() { return nosuch }
probe begin { error("stop") }
run
delete 4-5
probe end { println("again") }
run
END
# check RUN: of the lines of `out`
check()
{
	test "$(grep -c -x reads out)" = 2 && grep -q -x again out || fail "$1: expected two runs with reads"
	grep -q 'ERROR: stop' err || fail "$1: no error of the second run"
}
status=0
timeout 900 "$KTAP" -i --vm="$release" <lines >out 2>err || status=$?
test "$status" = 1 || fail "exit status $status: the second run fails"
check --vm
ktap --vm="$release" --vm-exec "'$KTAP' -i <'$PWD/lines'"
test "$status" = 1 || fail "exit status $status as root"
check root

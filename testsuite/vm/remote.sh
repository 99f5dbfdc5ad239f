#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --remote=vm:RELEASE: the module goes to the machine through its standard input, and counts there what a command does.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
cat >count.stp <<'END'
global starts, by_name
probe kernel.trace("sched_process_exec") {
	if (ppid() == target()) {
		starts++
		by_name[execname()] <<< 1
	}
}
END
ktap --remote="vm:$release" --merge -c "sh -c '/bin/true; /bin/true; uname -r; :'" count.stp
accepted
said "^vm:$release: $release\$"
printed '^starts=3$'
printed '^by_name\["true"\]: count 2, min 1, max 1, sum 2, avg 1$'
printed '^by_name\["uname"\]: count 1, min 1, max 1, sum 1, avg 1$'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -l with a name or a pattern and no probe point: functions, tracepoints, system calls and aliases of that name.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
for R in $(debug_kernels); do break; done

# lists WORD REGEX...: one line of the listing matches each.
lists()
{
	word=$1
	shift
	ktap -r "$R" -l "$word"
	accepted
	for regex in "$@"; do
		printed "$regex"
	done
}

lists vfs_read '^kernel.function("vfs_read@fs/read_write.c:[0-9]*")$'
lists 'block_rq_iss*' '^kernel.trace("block:block_rq_issue")$'
lists openat '^syscall.openat$'
lists '*nanosleep*' '^kernel.function("hrtimer_nanosleep@' '^syscall.nanosleep$' '^syscall.clock_nanosleep$'
ktap -r "$R" -L vfs_read
accepted
printed '^kernel.function("vfs_read@.*\$count:'
ktap -r "$R" -l no_such_function
refused no-match

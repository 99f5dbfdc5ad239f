#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kernel.data points: what no debug register can watch, and how many there are.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.data(0xffffffff81000002).length(4).rw { next }'
	refused probe-arg
	said "not a multiple of the length 4"
	analyse 'probe kernel.data(0xffffffff81000002).length(3).rw { next }'
	refused probe-arg
	said "expected 1, 2, 4 or 8"
	analyse 'probe kernel.data(0x400000).write { next }'
	refused probe-arg
	said "no address of the kernel"
	analyse 'probe kernel.data(0xffffffff81000000).write { println($x) }'
	refused target-var
	analyse 'probe kernel.data(0xffffffff81000000).length(8).write, kernel.data(0xffffffff81000000).rw { next }
		probe kernel.data(0xffffffff81000008).write, kernel.data(0xffffffff81000009).write { next }'
	accepted
	analyse 'probe kernel.data(0xffffffff81000000).length(8).write, kernel.data(0xffffffff81000000).rw { next }
		probe kernel.data(0xffffffff81000008).write, kernel.data(0xffffffff81000009).write { next }
		probe kernel.data(0xffffffff8100000a).write { next }'
	refused probe-point
	said "watchpoint 5 of the script, and a processor has 4"
	analyse 'probe kernel.data("no_such_variable").write ?, begin { next }'
	accepted
	analyse 'probe kernel.data("panic_timeoutt").write { next }'
	refused no-match
	said "did you mean 'panic_timeout'?"
	analyse 'probe kernel.data("vfs_read").write { next }'
	refused no-match
	analyse 'probe kernel.data("cpu_debug_store").write { next }'
	refused probe-arg
	said "per-CPU"
	analyse 'probe kernel.data("format_attr_event").write { next }'
	refused probe-arg
	said "static variables of the kernel are called 'format_attr_event'"
	analyse 'probe kernel.data("panic_timeout").length(8).write { next }'
	accepted
	analyse 'probe kernel.data("panic_on_oops").length(8).write { next }'
	refused probe-arg
	said "watches 4 bytes here"
	[ "$("$KTAP" -r "$R" -l 'kernel.data("panic_timeout").write')" = 'kernel.data("panic_timeout").write' ]
}
on_each check

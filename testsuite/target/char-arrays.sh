#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A string where an address is, and the other way round: the note says which function reads the string.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'global d probe kernel.trace("sched:sched_switch") { d[5] = 1; d[$prev->comm]++ }'
	refused key-type
	said "'&' before it is its address"
	analyse 'probe kernel.function("do_sys_openat2").call { if ($filename == "dd") println("x") }'
	refused type
	said 'write kernel_string($filename), or user_string($filename) where'
	analyse 'probe kernel.function("do_sys_openat2").call { println(strlen($filename)) }'
	refused type
	said 'write kernel_string($filename), or user_string($filename) where'
	analyse 'probe kernel.trace("sched:sched_switch") { x = $prev->comm; printf("%s", x) }'
	refused format
	said 'write kernel_string(x)'
	analyse 'global d probe kernel.trace("sched:sched_switch") { d[$prev->comm]++ }'
	accepted
	printed 'd:long \[string\]'
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the probe of a system call gives by a call is written by a call too.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" -g -p2 -e 'probe syscall.openat.return { $return = -13 }'
	accepted
	ktap -r "$R" -g -p2 -e 'probe syscall.openat.return { $flags = 0 }'
	refused lvalue
	said 'in probe syscall.openat it can'
	ktap -r "$R" -g -p2 -e 'probe kernel.function("__*_sys_openat").return { $return = -13 }'
	accepted
	ktap -r "$R" -g -p2 -e 'global n probe syscall.openat.return { r = $return; n[$return] = r }'
	accepted
}
on_each check

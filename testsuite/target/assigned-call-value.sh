#!/bin/sh
# What the probe of a system call gives by a call cannot be written: the message names the probe that can.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" -g -p2 -e 'probe syscall.openat.return { $return = -13 }'
	refused lvalue
	said "'\$return' cannot be written in probe"
	said 'kernel.function("__\*_sys_NAME")'
	ktap -r "$R" -g -p2 -e 'probe kernel.function("__*_sys_openat").return { $return = -13 }'
	accepted
	ktap -r "$R" -g -p2 -e 'global n probe syscall.openat.return { r = $return; n[$return] = r }'
	accepted
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function may use $variables of its probe, also when the handler uses one before it calls the function.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'function f() { return $count } probe kernel.function("vfs_read") { x = $count; println(x, f()) }'
	accepted
	analyse 'function f() { return g() } function g() { return $count }
		probe kernel.function("vfs_read") { if (@defined($count)) println(f()) }'
	accepted
}
on_each check

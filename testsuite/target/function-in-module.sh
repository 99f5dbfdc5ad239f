#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that is a module's, looked for in the kernel: the module is named.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ls "/lib/modules/$R" >/dev/null 2>&1 || return 0
	ktap -r "$R" -p2 -e 'probe kernel.function("loop_add") { }'
	refused no-match
	said 'it is in module loop: write module("loop").function("loop_add")'
	# One that nothing has.
	ktap -r "$R" -p2 -e 'probe kernel.function("no_such_function_at_all") { }'
	refused no-match
	! grep -q 'it is in module' err || fail "no module has it"
	# All modules are searched for the first 20 errors.
	ktap -r "$R" -p2 -e "$(for i in $(seq 30); do echo 'probe kernel.function("loop_add") { }'; done)"
	[ "$(grep -c 'error: ' err)" = 30 ] || fail "each point is reported"
	[ "$(grep -c 'it is in module' err)" = 20 ] || fail "the modules are searched again and again"
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where a function's frame is not made yet, or gone, its variables are below the stack pointer, and what is there is not theirs.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap plan -r "$R" -e 'probe kernel.statement("*@kernel/signal.c:*") { println($$vars) }'
	accepted
	printed 'not here: its function.s frame is not there'
	printed 'in memory at \[rsp+'
	! grep 'at \[rsp-' out || fail "a variable below the stack pointer"
}
on_each check

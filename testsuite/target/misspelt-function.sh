#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A misspelt function: the nearest name is proposed.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("do_sys_opne") { }'
	refused no-match
	said "did you mean 'do_sys_open'?"
	analyse 'probe kernel.function("do_sys_opne") ?, begin { }'
	accepted
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# $return exists in return probes of functions that return something.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").return { println($return) println($$return) }'
	accepted
	analyse 'probe kernel.function("vfs_read").call { println($return) }'
	refused target-var
	analyse 'probe kernel.function("kfree").return { println($return) }'
	refused target-var
	said "'kfree' returns nothing"
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The module list of @cast names places to look at: those of several that do not exist are passed over.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe begin { println(@cast(0, "task_struct", "no_such_module:kernel:/no/such/program")->tgid) }'
	accepted
	analyse 'probe begin { println(@cast(0, "task_struct", "kernel<linux/no/such.h>:kernel")->tgid) }'
	accepted
	analyse 'probe begin { println(@cast(0, "task_struct", "no_such_module:/no/such/program")->tgid) }'
	refused target-type
	analyse 'probe begin { println(@cast(0, "task_struct", "no_such_module")->tgid) }'
	refused no-match
}
on_each check

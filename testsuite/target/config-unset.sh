#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel's configuration does not set is "" in a condition: no letter matches it, the empty text and * do.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
N=CONFIG_KTAP_NO_SUCH_OPTION

# is TRUTH CONDITION
is()
{
	ktap -r "$R" -p1 -e "probe begin { %( $2 %? println(1) %: println(0) %) }"
	accepted
	grep -q "println($1)" out || fail "$2 is not $1"
}

check()
{
	is 1 "$N == \"\""
	is 1 "$N == \"*\""
	is 1 "$N != \"n\""
	is 0 "$N == \"n\""
	is 0 "$N == \"?\""
	is 0 "$N == \"[a-z]\""
	is 0 "CONFIG_KPROBES == \"\""
	is 1 "CONFIG_KPROBES == \"[my]\""
}
on_each check

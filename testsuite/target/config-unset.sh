#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An option that the kernel's configuration does not set is "" in a condition, and 0 as a number: no letter matches it, the empty
# string and * do. An option that is set, but to no number, is not compared with one.
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
	is 1 "$N == 0"
	is 0 "$N != 0"
	is 0 "$N == 1"
	is 1 "$N < 1"
	is 1 "$N >= 0"
	is 1 "$N == ${N}_2"
	is 1 "CONFIG_HZ > 0"
	ktap -r "$R" -p1 -e 'probe begin { %( CONFIG_KPROBES == 1 %? println(1) %) }'
	refused preprocess
	said '1:18: error: CONFIG_KPROBES is "y", which is not a number'
}
on_each check

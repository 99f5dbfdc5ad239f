#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module's build ID is that of its script and its kit: two builds of a script have one, other scripts have others.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}

# id SCRIPT: the build ID of its module.
id()
{
	ktap -r "$release" -p4 --disable-cache -e "$1"
	accepted
	readelf -n "$(cat out)" | sed -n 's/^ *Build ID: //p'
}

first=$(id 'probe begin { println("one") }')
other=$(id 'probe begin { println("two") }')
test "${#first}" = 32 && test "${#other}" = 32 || fail "the build IDs are '$first' and '$other'"
test "$first" != "$other" || fail "two scripts have the build ID $first"
test "$(id 'probe begin { println("one") }')" = "$first" || fail "a second build has another build ID"

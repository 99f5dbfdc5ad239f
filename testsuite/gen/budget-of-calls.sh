#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions count statements where a handler runs many of them by calls alone; 60 functions that each call the next twice are 2^60 calls,
# which no pass may follow one by one. A handler of few statements counts nothing, and its functions neither.
. "$SRCDIR/testsuite/lib/sh.sh"

# functions LEVELS: 2^LEVELS calls.
functions()
{
	echo 'global n; function f0() { n++ }'
	for i in $(seq "$1"); do
		echo "function f$i() { f$((i - 1))(); f$((i - 1))() }"
	done
}

# counting: how many places of the C in `out` count statements.
counting()
{
	grep -c 'KT_ACTIONS(' out
}

functions 60 >many.stp
echo 'probe timer.s(1) { f60(); println(n) }' >>many.stp
limit=60 ktap -p3 --runtime=user many.stp
accepted
test "$(counting)" = 63 || fail "not one place for each of 61 functions, and two in the handler"

functions 3 >few.stp
echo 'probe timer.s(1) { f3(); println(n) }' >>few.stp
ktap -p3 --runtime=user few.stp
accepted
test "$(counting)" = 0 || fail "a short handler counts statements"

# Calls of the runtime are no statements, but many of them in one are: 40 functions of 40 terms are 1,600 calls.
{
	echo 'global s'
	for i in $(seq 40); do
		echo "function g$i() { return 0$(printf ' + strlen(string_quoted(s))%.0s' $(seq 40)) }"
	done
	echo "probe timer.s(1) { println(0$(printf ' + g%d()' $(seq 40))) }"
} >terms.stp
ktap -p3 --runtime=user terms.stp
accepted
test "$(counting)" = 41 || fail "not each of 40 functions, and the handler"
test "$(grep -c 'KT_ACTIONS(12,' out)" = 40 || fail "80 calls are not ten statements more"

# Pass 4 proves how much stack the calls need.
a_kernel
limit=200 ktap -r "$R" -p4 many.stp
accepted

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Of a large array that is printed at the end, a terminal shows the 20 largest values, and how many there are besides. With
# --compatible it shows all; a file and a pipe have all.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
echo 'global squares probe begin { for (i = 0; i < 25; i++) squares[i] = i * i; exit() }' >many.stp

# on_terminal OPTIONS: the lines that a terminal shows of the array.
on_terminal()
{
	script -qec "'$KTAP' $* --runtime=user many.stp" /dev/null </dev/null | tr -d '\r' | grep '^squares' >shown
}

on_terminal
test "$(wc -l <shown)" = 21 || fail "a terminal shows: $(cat shown)"
test "$(head -n 1 shown)" = 'squares[24]=576' || fail "the first one is: $(head -n 1 shown)"
test "$(tail -n 2 shown | tr '\n' ' ')" = 'squares[5]=25 squares: and 5 more ' || fail "the last ones are: $(tail -n 2 shown)"
on_terminal --compatible=5.6
test "$(grep -c '^squares\[' shown)" = 25 || fail "--compatible shows: $(cat shown)"
on_terminal -o out || :
test "$(grep -c '^squares\[' out)" = 25 || fail "the file has: $(cat out)"
ktap --runtime=user many.stp
test "$(grep -c '^squares\[' out)" = 25 || fail "the pipe has: $(cat out)"

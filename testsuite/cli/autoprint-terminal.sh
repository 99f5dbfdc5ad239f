#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Of a large array that is printed at the end, a terminal shows the 20 largest values, or 5 stacks, and how many more there are. With
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
test "$(tail -n 2 shown | tr '\n' ' ')" = 'squares[5]=25 squares: and 5 more (-o FILE has all) ' || fail "the last ones are: $(tail -n 2 shown)"
on_terminal --compatible=5.6
test "$(grep -c '^squares\[' shown)" = 25 || fail "--compatible shows: $(cat shown)"
on_terminal -o out || :
test "$(grep -c '^squares\[' out)" = 25 || fail "the file has: $(cat out)"
ktap --runtime=user many.stp
test "$(grep -c '^squares\[' out)" = 25 || fail "the pipe has: $(cat out)"

# A stack counts as four lines; of another array of the same script 20 elements are shown.
cat >stacks.stp <<'END'
global stacks, calls
probe begin {
	for (i = 0; i < 8; i++)
		stacks[sprintf(" 0x%x : f+0x0/0x1 [kernel]\n", i)] = i
	for (i = 0; i < 25; i++)
		calls[sprint(i)] = i
	print(sprint_backtrace())
	exit()
}
END
script -qec "'$KTAP' --runtime=user stacks.stp" /dev/null </dev/null | tr -d '\r' >shown
test "$(grep -c '^stacks\[stack\]' shown)" = 5 || fail "of the stacks a terminal shows: $(cat shown)"
grep -q '^stacks: and 3 more' shown || fail "the rest of the stacks is not counted: $(cat shown)"
test "$(grep -c '^calls\[' shown)" = 20 || fail "of the other array a terminal shows: $(cat shown)"

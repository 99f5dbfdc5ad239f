#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script of -e that the shell took its $names from: what is left is explained, and a script that is meant so is not suspected.
. "$SRCDIR/testsuite/lib/sh.sh"
count=
for script in "probe timer.s(1) { printf(\"%d\n\", $count) }" "probe timer.s(1) { if ($count > 3) exit() }" "global x probe timer.s(1) { x[$count]++ }"; do
	ktap --runtime=user -p2 -e "$script"
	refused syntax
	said 'note: if a $NAME stood here, the shell removed it: put the script in single quotes'
done
ktap --runtime=user -p2 -e "probe timer.s(1) { println($count) }"
accepted
said 'warning: the script prints nothing but empty lines \[unused\]'
said 'the shell removed it'
for script in 'probe begin { println() println("x") }' 'probe begin { println($1) }' 'probe begin { println() print_ubacktrace() }' \
	'global n probe begin { println() n++ }' 'probe begin { printf("\n") }'; do
	ktap --runtime=user -p1 -e "$script" 7
	accepted
	! grep -q -e 'empty lines' -e 'the shell' err || fail "suspected: $script"
done
ktap --runtime=user -p2 -e 'probe begin { print($$parms, ) }'
refused syntax
! grep -q 'the shell' err || fail "suspected: a script with a name"
echo 'probe begin { print(1, ) }' >file.stp
ktap --runtime=user -p2 file.stp
refused syntax
! grep -q 'the shell' err || fail "suspected: a file"

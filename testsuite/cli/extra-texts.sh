#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -E is a text beside the main script: that of a file, of -e, or of a listing, whose words it leaves to be arguments.
. "$SRCDIR/testsuite/lib/sh.sh"
echo 'probe begin { printf("%s %s %d", @1, twice("ab"), $#) exit() }' >main.stp
twice='function twice(s) { return s . s }'
ktap --runtime=user -E "$twice" main.stp word
accepted
test "$(cat out)" = "word abab 1" || fail "expected 'word abab 1'"
ktap --runtime=user -E "$twice" -e 'probe begin { println(twice(@1)) exit() }' -E 'probe end { println("end") }' word
accepted
test "$(cat out)" = "$(printf 'wordword\nend')" || fail "expected wordword, end"
ktap -E "$twice"
refused usage
said 'no script'
ktap -E 'probe own.one = begin { x = 1 } probe own.two = end { y = "" }' -l 'own.*'
accepted
test "$(cat out)" = "$(printf 'own.one\nown.two')" || fail "expected own.one and own.two"
# The points of -E are not those that are asked for.
ktap -l begin -E 'probe end { }'
accepted
test "$(cat out)" = begin || fail "expected begin alone"
ktap -p2 -E "$twice } " main.stp word
refused syntax
said '<input2>:1'

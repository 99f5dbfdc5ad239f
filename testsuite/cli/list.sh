#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Listings that need no kernel: points without a place, aliases with what they offer, forms, functions.
. "$SRCDIR/testsuite/lib/sh.sh"

same() { printf '%s\n' "$@" | cmp -s - out || fail "expected: $*"; }

ktap -l 'timer.s(1), end, begin, begin'
accepted
same begin end 'timer.s(1)'
ktap -l 'nosuch.*'
refused no-match
ktap -l 'timr.s(1)'
refused probe-point
said "did you mean 'timer'"
# What is no point: the script that is made of it is not the user's.
for point in 'timer.s(1' 'begin { }' 'timer.'; do
	ktap -l "$point"
	refused syntax
	said "note: -l takes a probe point"
done
ktap -l 'timr.s(1)'
! grep -q 'takes a probe point' err || fail "it is one"
# A bare word lists what has that name; here there is no kernel.
ktap -l nosuch_word
refused no-match
said "ktap -l '\*PART\*'"
ktap -l 'timer'
refused probe-point
ktap -l ' '
refused usage
ktap -l begin script.stp
refused usage
ktap -e 'probe begin {}' -l begin
refused usage

mkdir -p lib
cat >lib/some.stp <<'EOF'
probe some.open = begin { name = "open"; mode = 7; mode = mode + 1; _private = name }
probe some.close = end ?, never { name = "close"; text = $$parms }
probe some.more += begin(5) { }
probe _hidden = begin { }
function shown:long (a:long, b) { return a + strlen(b) }
function _hidden_too () { return 1 }
function nothing () { println("x") }
EOF
ktap -I lib -l 'some.*'
accepted
same some.close some.more some.open
ktap -I lib -L 'some.open, some.close'
accepted
same 'some.close name:string text:string' 'some.open name:string mode:long _private:string'
# A private alias is listed for who knows its name.
ktap -I lib -l '*'
accepted
! grep -q hidden out || fail "a private alias is listed"
for point in '_*' _hidden 'begin, _hidden'; do
	ktap -I lib -l "$point"
	accepted
	printed '^_hidden$'
done
ktap -I lib -v -l '*'
printed '^_hidden$'
ktap -I lib --dump-probe-aliases
accepted
printed '^some.open = begin$'
printed '^some.close = end?, never$'
printed '^some.more += begin(5)$'
! grep -q hidden out || fail "a private alias is listed"
ktap -I lib --dump-functions
accepted
printed '^shown:long (a:long, b:string)$'
printed '^nothing:unknown ()$'
printed '^execname:string () /\* pure \*/$'
LC_ALL=C sort -c out || fail "not sorted"
! grep -q hidden out || fail "a private function is listed"
ktap --dump-probe-types
accepted
printed '^begin$'
printed '^kernel.function(string).return.maxactive(number)$'
printed '^kernel.trace(string)$'
printed '^timer.s(number).randomize(number)$'

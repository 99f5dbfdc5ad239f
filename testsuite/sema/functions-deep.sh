#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Passes recurse over expressions and calls: functions that are nested too deeply together are refused, and side effects are not looked for
# that deep.
. "$SRCDIR/testsuite/lib/sh.sh"

# functions N: each calls the next, below 1,900 operators.
functions()
{
	perl -e 'my $n = shift; print "function f$_:long () { return ", "~" x 1900, $_ < $n ? "f" . ($_ + 1) . "()" : 1, " }\n" for 1 .. $n' "$1"
}
{ functions 20; echo 'probe begin { if (f1() && 0) println(1); println(f1()) }'; } >twenty.stp
limit=60 ktap -p2 --runtime=user twenty.stp
accepted
{ functions 300; echo 'probe begin { if (f1() && 0) println(1); println(f1()) }'; } >many.stp
limit=60 ktap -p2 --runtime=user many.stp
refused limit

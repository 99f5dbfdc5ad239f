#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Parentheses, blocks and operators nested ten thousand deep are refused cleanly or compiled, never a crash.
. "$SRCDIR/testsuite/lib/sh.sh"
limit=300
nest()
{
	perl -e 'my ($head, $open, $middle, $close, $tail) = @ARGV; s/\\n/\n/g for @ARGV;
		print $head, $open x 10000, $middle, $close x 10000, $tail' -- "$@" >deep.stp
	ktap -p2 deep.stp
	test "$status" = 0 || grep -q 'error: .* \[[a-z-]*\]$' err || fail "no diagnostic"
	test "$(grep -c 'error: ' err)" -le 3 || fail "too many errors"
}
nest 'probe begin { println(' '(' 1 ')' ') }'
nest 'probe begin { println(' '-' 1 '' ') }'
nest 'probe begin ' '{' 'println(1)' '}' ''
nest 'probe begin { ' 'if (1) ' 'println(1)' '' ' }'
nest 'probe begin { println(' '1 + (' 1 ')' ') }'

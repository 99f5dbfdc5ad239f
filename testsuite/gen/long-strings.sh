#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Arrays of strings that a loop makes, such as stacks, have space for each of them at full length; others for a quarter of that.
. "$SRCDIR/testsuite/lib/sh.sh"
share()
{
	ktap --runtime=user -p3 -e "$1"
	accepted
	sed -n 's/.*\.text_share = \([0-9]*\),.*/\1/p' out | tr '\n' ' '
}
same()
{
	test "$(share "$1")" = "$2" || fail "$1: $(share "$1")"
}
list='function list() { s = ""; for (i = 0; i < 9; i++) s .= sprint(i); return s }'
same 'global a; probe begin { a[execname() . pn()] = 1; foreach (k in a) println(k, a[k]) }' '0 '
same "$list"' global a, b; probe begin { a[list()] = 1; b["x"] = 1; foreach (k in a) println(k, a[k], b[k]) }' '512 512 '
same "$list"' global a, b, c; probe begin { a["x"] = list(); foreach (v = k in a) b[v] <<< 1; c[k] = 1; foreach (k in b) println(c["x"], @count(b[k])) }' \
	'512 512 512 '
same 'function f(s) { return s . "!" } global a, b; probe begin { foreach (x in b) t = sprintf("%s %d", t, x); while (n++ < 3) u = u . "."; a[f(u)] = 1
	b[1] = 1; println(t) foreach (k in a) println(k, a[k]) }' '512 0 '

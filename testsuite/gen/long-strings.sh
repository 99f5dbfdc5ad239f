#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An array has space for the longest strings that the script can give it; where their length is unknown, for 2,048 of full length
# and, in larger arrays, for a quarter of it on average. Strings that a loop makes, such as stacks, have full length everywhere.
. "$SRCDIR/testsuite/lib/sh.sh"
share()
{
	ktap --runtime=user -p3 -e "$1"
	accepted
	sed -n 's/.*\.text_share = \([0-9]*\),.*/\1/p' out | tr '\n' ' '
}
# same SCRIPT 'N ...': bytes for each string of each array, in whole blocks of 28.
same()
{
	test "$(share "$1")" = "$2" || fail "$1: $(share "$1")"
}
full=532
unknown='env_var("X")'
show='foreach (k in a) println(k, a[k])'
# of KEY EXPECTED: the array's only string
of()
{
	same "global a; probe begin { a[$1]++; $show }" "$2 "
}
of '"a"' 28
of "$unknown" $full
of 'execname()' 28
of 'execname() . pn()' $full
of 'substr(env_var("X"), 1, 50)' 56
of 'substr(env_var("X"), 1, pid())' $full
of 'sprintf("%s of %d", execname(), pid())' 56
of 'sprintf("%.100d", pid())' 140
of 'sprintf("%*d", pid(), pid())' $full
of 'sprintf("%s", env_var("X"))' $full
of 'sprintd(", ", pid(), uid(), "abcdefghijklmnopqrstuvwxyz")' 112
of 'pid() ? "a" : "0123456789012345678901234567890123456789"' 56
of '"a" . (x = "0123456789012345678901234567890123456789")' 56
# Variables, functions, loops over other arrays, messages of errors.
same "global a; probe begin { s = \"x\"; if (pid()) s = $unknown; a[s]++; $show }" "$full "
same "global a; function f(s) { return s . \"!\" } probe begin { a[f(\"x\") . f(execname())]++; $show }" '56 '
same "global a, b; probe begin { b[1] = execname(); foreach (v = w in b) a[v] = w; $show }" '28 28 '
same "global a; probe begin { try { error(\"x\") } catch (m) { a[m]++ } $show }" "$full "
same "global a; function f(s, n) { return n ? f(s . \"x\", n - 1) : s } probe begin { a[f(\"\", 3)]++; $show }" "$full "
same "global a; probe begin { a[1] .= \"x\"; $show }" "$full "
# A global may be set by -G, or by embedded C.
same "global a, g; probe begin { g = \"x\"; a[g]++; $show }" "$full "
# Keys and values have their own lengths: the average.
same "global a; probe begin { a[execname()] = $unknown; $show }" '280 '
# The size.
same "global a[2048]; probe begin { a[$unknown]++; $show }" "$full "
same "global a[4096]; probe begin { a[$unknown]++; $show }" '280 '
same "global a[10000]; probe begin { a[$unknown]++; $show }" '140 '
same "global a[10000]; probe begin { a[execname()]++; $show }" '28 '
list='function list() { s = ""; for (i = 0; i < 9; i++) s .= sprint(i); return s }'
same "$list global a[10000]; probe begin { a[list()]++; $show }" "$full "
same "$list"' global a[9999], b[9999]; probe begin { a[1] = list(); foreach (v = k in a) b[v] <<< 1; foreach (w in b) println(@count(b[w])) }' \
	"$full $full "
ktap --runtime=user -p3 -D MAPSTRINGLEN=56 -e "global a; probe begin { a[$unknown]++; $show }"
grep -q 'text_share = 56,' out || fail "-D MAPSTRINGLEN=56"

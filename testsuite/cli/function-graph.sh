#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Function graphs of given calls and times: blocks, filters by depth and by time, returns that were missed, calls that had begun
# before, two names at one time.
. "$SRCDIR/testsuite/lib/sh.sh"

# graph MOST LEAST CALL...: the lines, without the thread. A CALL is NAME@TIME, and <NAME@TIME is its return.
graph()
{
	most=$1 least=$2
	shift 2
	script=$(for call in "$@"; do
		name=${call%@*} time=${call#*@}
		case $name in
		'<'*) echo "__graph_leave(\"${name#<}\", $time, $most, $least)" ;;
		*) echo "__graph_enter(\"$name\", $time, $most, $least)" ;;
		esac
	done)
	ktap --runtime=user -e "probe begin { $script exit() }"
	accepted
	sed -E 's/^[^ ]+\([0-9]+\) +//' out >lines
}
# lines: they are those on stdin.
lines()
{
	cat >expected
	cmp -s expected lines || { diff expected lines; fail "the graph differs: $*"; }
}
calls='a@1000 b@2000 c@3000 <c@4500 <b@9000 b@9100 <b@9102 <a@1234567'

# shellcheck disable=SC2086
graph 0 0 $calls
lines all <<'END'
| a() {
|   b() {
1.500 us |     c();
7.000 us |   } /* b */
0.002 us |   b();
1233.567 us | } /* a */
END
# shellcheck disable=SC2086
graph 2 0 $calls
lines two levels <<'END'
| a() {
7.000 us |   b();
0.002 us |   b();
1233.567 us | } /* a */
END
# shellcheck disable=SC2086
graph 1 0 $calls
lines one level <<'END'
1233.567 us | a();
END
# exactly as long as is asked for; what it is in begins before it
# shellcheck disable=SC2086
graph 0 1500 $calls
lines time <<'END'
| a() {
|   b() {
1.500 us |     c();
7.000 us |   } /* b */
1233.567 us | } /* a */
END
# shellcheck disable=SC2086
graph 2 5000 $calls
lines both <<'END'
| a() {
7.000 us |   b();
1233.567 us | } /* a */
END
# recursion; the return of x is missed, z had begun before the session
graph 0 0 f@0 f@1000 x@2000 '<z@2500' '<f@3000' y@4000 '<y@5000' '<f@6000' g@7000 '<g@8000'
lines missed <<'END'
| f() {
|   f() {
2.000 us |   } /* f */
1.000 us |   y();
6.000 us | } /* f */
1.000 us | g();
END

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler that does nothing, or adds a constant to one counter, is light: the table of handlers says what a hit adds. Any other is
# not. All places of a point have the same handler.
. "$SRCDIR/testsuite/lib/process.sh"

points='timer.profile, timer.ms(5), timer.ms(6)'
# row EXPECTED HANDLER [OPTION]...: what the table says of that handler, which all POINTS have.
row()
{
	expected=$1 handler=$2
	shift 2
	ktap -p3 "$@" -e "global n, m, s, a probe $points $handler probe end { s <<< 1 a[1]++ print(n + m + a[1] + @count(s)) }"
	got=$(sed -n '/ handlers\[\] = {$/ { n; s/^\t{ \(.*\) },$/\1/p }' out)
	test $status = 0 && test "$got" = "$expected" || fail "$handler $*: '$got', expected '$expected': $(cat err)"
	test "$(grep -c '^	{ 0, .*/\* timer' out)" = "$(echo "$points" | wc -w)" || fail "$handler $*: the probes have different handlers"
}

row 'p_0, p_0, 0, 0' '{}'
row 'p_0, p_0, o_n, 1ll' '{ n++ }'
row 'p_0, p_0, o_n, 1ll' '{ { ++n } }'
row 'p_0, p_0, o_n, (kt_s64)-(kt_u64)(1ll)' '{ n-- }'
row 'p_0, p_0, o_n, (-9223372036854775807ll - 1)' '{ n += -0x8000000000000000 }'
row 'p_0, p_0, o_n, (kt_s64)-(kt_u64)(7ll)' '{ n -= 7 }'
for handler in '{ n++; m++ }' '{ if (pid()) n++ }' '{ n += pid() }' '{ n++; next; m++ }' '{ s <<< 1 }' '{ a[1]++ }' '{ m = n++ }' \
	'{ for (i = 0; i < 3; i++) n++ }' '{ print(1) }'; do
	row 'p_0, 0, 0, 0' "$handler"
done
row 'kt_timed, p_0, o_n, 1ll' '{ n++ }' -t
points=timer.profile
row 'p_0, 0, 0, 0' 'if (m) { n++ }'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler whose only call is of a second overload sets the budget of statements that loops in that function use up: else it is
# the budget that another handler left.
. "$SRCDIR/testsuite/lib/sh.sh"

ktap -p3 --runtime=user -e '
function f(a) { for (i = 0; i < a; i++) println(i) }
function f() { for (i = 0; i < 2; i++) println(i) }
probe timer.s(1) { f(2) } probe timer.s(2) { f() } probe timer.s(3) { println(1) }'
accepted
test "$(grep -c '^	kt_actions_start(c, 10000);$' out)" = 2 || fail "not one budget for each handler that calls"

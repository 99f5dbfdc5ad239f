#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The index of a library goes on behind a function that uses @defined.
. "$SRCDIR/testsuite/lib/sh.sh"
mkdir -p lib
cat >lib/own.stp <<'END'
function first_of_own:long (x:long) { return @defined(@cast(x, "int")) ? 1 : 2 }
function second_of_own:long () { return 7 }
END
ktap --runtime=user -I lib -e 'probe begin { println(second_of_own()) exit() }'
test "$status" = 0 || fail "status $status"
test "$(cat out)" = 7 || fail "expected 7"

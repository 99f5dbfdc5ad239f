#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A list of functions is silent about a handler in a library that cannot be resolved.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir -p lib
cat >lib/mine.stp <<'EOF'
function function_of_mine() { return 1 }
probe begin { println($x) }
EOF
"$KTAP" --dump-functions -I lib >out 2>err || fail "status $?: $(cat err)"
grep -q '^function_of_mine:long' out || fail "the function is not listed"
test -s err && fail "it is not silent: $(cat err)"
exit 0

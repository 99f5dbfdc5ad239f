#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --semantic-keep-going: the errors of pass 2 as lines for programs.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >wrong.stp <<'END'
probe begin { println(nosuch(1)) }
probe nosuch.point { println(1) }
probe end { x = y[1]; println(x) }
END
ktap --runtime=user -p2 --semantic-keep-going wrong.stp
test "$status" = 1 || fail "exit status $status"
sed -n '/^SEMANTIC_ERRORS: /,$p' err >catalog
cut -f 1-5 catalog | tr '\t' '|' | sort >fields
cat >expected <<'END'
SEMANTIC_ERRORS: 3
SEMANTIC_ERRORS_END
SEMANTIC_ERROR|wrong.stp|1|23|nosuch
SEMANTIC_ERROR|wrong.stp|2|7|nosuch
SEMANTIC_ERROR|wrong.stp|3|17|y
END
sort -o expected expected
cmp -s expected fields || { diff expected fields; fail "not that catalog"; }
grep -q "^SEMANTIC_ERROR	wrong.stp	1	23	nosuch	no function is named 'nosuch'$" catalog || fail "not the message: $(cat catalog)"
test "$(head -n 1 catalog)" = 'SEMANTIC_ERRORS: 3' && test "$(tail -n 1 catalog)" = SEMANTIC_ERRORS_END || fail "no frame"
# a parse error is not one of pass 2; without errors there is no list
ktap --runtime=user -p2 --semantic-keep-going -e 'probe begin {'
! grep -q SEMANTIC err || fail "a catalog of pass 1"
ktap --runtime=user -p2 --semantic-keep-going -e 'probe begin { exit() }'
accepted
! grep -q SEMANTIC err || fail "a catalog of nothing"

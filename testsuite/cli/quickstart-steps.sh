#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While a step of quickstart takes long, a terminal shows the last line of its log; a pipe gets nothing, and a failure its end.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
mkdir scripts
cp "$SRCDIR/scripts/steps.sh" scripts/
cat >scripts/step <<'END'
set -eu
. "$(dirname "$0")/steps.sh"
quietly log sh -c "$1"
echo done
END
long='echo compiling; sleep 5'
script -qec "sh scripts/step '$long'" /dev/null </dev/null >out
grep -q '^.\[ *[0-9]* s\] compiling' out || fail "a terminal shows: $(cat -v out)"
sh scripts/step "$long" >out 2>err </dev/null
test "$(cat out)" = done || fail "a pipe gets: $(cat out)"
test ! -s err || fail "stderr gets: $(cat err)"
sh scripts/step 'echo broken; exit 3' >out 2>err </dev/null && fail "the step failed"
said broken
said 'failed: sh -c .* (all of its output: log)'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Options are taken wherever they stand; behind `--` a word that looks like one belongs to the script.
. "$SRCDIR/testsuite/lib/sh.sh"
echo 'probe begin { printf("%s.", @1) exit() }' >args.stp
ktap --runtime=user args.stp -w word --ldd -d kernel
test "$status" = 0 || fail "status $status"
test "$(cat out)" = word. || fail "expected 'word.'"
ktap --runtime=user args.stp -- -w
test "$status" = 0 || fail "status $status"
test "$(cat out)" = -w. || fail "expected '-w.'"
ktap --runtime=user args.stp -5
refused usage

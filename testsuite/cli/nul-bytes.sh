#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# NUL and other control bytes are refused as syntax, shown harmlessly, and do not end the text early.
. "$SRCDIR/testsuite/lib/sh.sh"
printf 'probe begin { \000 }\nprobe end { ]\n' >nul.stp
ktap -p1 nul.stp
test "$status" != 0 || fail "accepted"
said 'nul.stp:1:15: error: '
said 'nul.stp:2:'
printf 'probe begin { \033[31m }\n' >escape.stp
ktap -p1 escape.stp
test "$status" != 0 || fail "accepted"
! grep -q "$(printf '\033')" err || fail "a control byte reaches the terminal"

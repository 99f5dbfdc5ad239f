#!/bin/sh
# Options that scripts and wrappers for SystemTap give.
. "$SRCDIR/testsuite/lib/sh.sh"
echo 'probe begin { println("ok") exit() }' >ok.stp
ktap --runtime=user --vp 00001 -b --suppress-handler-errors --skip-badvars ok.stp
accepted
grep -q '^ok$' out || fail "no output"
ktap -p2 --vp x ok.stp
refused usage
ktap -p2 --vp 123456 ok.stp
refused usage
ktap -p2 --suppress-time-limits ok.stp
refused usage
said "needs -g"
ktap -p2 -g --suppress-time-limits ok.stp
accepted
ktap -p3 -g --suppress-time-limits ok.stp
accepted
grep -q 2147483647 out || fail "no limit in the program"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script of more than a megabyte is parsed in a few seconds, not in minutes.
. "$SRCDIR/testsuite/lib/sh.sh"
perl -e 'print "global g\nprobe begin {\n"; print "\tg = g + $_ * (g - 1) # a line of the script\n" for 1 .. 30000; print "}\n"' >large.stp
test "$(wc -c <large.stp)" -gt 1048576 || fail "the script is too small"
limit=300
ktap -p1 large.stp
accepted
test "$(wc -l <out)" -ge 30000 || fail "lines are missing"

# An error does not read the rest of the script again and again, nor a function that nothing calls all other functions.
perl -e 'print "probe never { print(1,)) }\n" for 1 .. 400000' >errors.stp
limit=60
ktap -p1 errors.stp
test "$status" = 1 || fail "exit status $status"
said 'has more errors; the rest was not looked at'
perl -e 'print "function f$_() { return $_ }\n" for 1 .. 100000; print "probe begin { exit() }\n"' >unused.stp
ktap -p2 -w --runtime=user unused.stp
accepted

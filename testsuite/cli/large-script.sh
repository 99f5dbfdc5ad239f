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

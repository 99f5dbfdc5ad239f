#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -DHIST_ELISION: so many empty rows of a histogram are printed beside a row that is not empty, the rest is one line; with 0 none,
# below 0 all.
. "$SRCDIR/testsuite/lib/sh.sh"
rows()
{
	ktap --runtime=user "-DHIST_ELISION=$1" -e 'global s; probe begin { s <<< 1; s <<< 12; print(@hist_linear(s, 0, 20, 1)); exit() }'
	accepted
	sed -n 's/^ *\([0-9~]*\)\( |.*\)*$/\1/p' out | tr '\n' ' '
}
same()
{
	test "$(rows "$1")" = "$2" || fail "with $1: $(rows "$1")"
}
same 0 '1 ~ 12  '
same 1 '0 1 2 ~ 11 12 13  '
same 2 '0 1 2 3 ~ 10 11 12 13 14  '
same 3 '0 1 2 3 4 ~ 9 10 11 12 13 14 15  '
same 9 '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20  '
same -1 '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14  '
ktap -p3 -DHIST_ELISION=5000 -e 'global s; probe begin { s <<< 1; print(@hist_log(s)) }'
refused usage

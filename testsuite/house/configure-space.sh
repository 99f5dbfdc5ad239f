#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# configure refuses a build directory whose path has a space, which make would split, and says so.
. "$SRCDIR/testsuite/lib/sh.sh"
mkdir 'a build' build
cd 'a build'
! "$SRCDIR/configure" >../log 2>&1 || fail 'configure accepted a path with a space'
grep -q 'error: make does not take a path with a space' ../log || fail "$(tail -n 3 ../log)"
cd ../build
"$SRCDIR/configure" --help=short >../log 2>&1 || fail "$(tail -n 3 ../log)"

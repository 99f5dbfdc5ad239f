#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An unknown option is refused with the nearest one.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap --kbuidl -p1 -e 'probe begin { }'
refused usage
said "did you mean '--kbuild'"
ktap -Z -e 'probe begin { }'
refused usage
ktap -p 9 -e 'probe begin { }'
refused usage
ktap -e
refused usage
# ktaprun and programs of --runtime=user read their options from tables of the same kind.
ktap -p4 -m unknown_option --runtime=user -e 'probe begin { exit() }'
accepted
program=$(cat out)
KTAP=$BUILDDIR/ktaprun
ktap --nosuch
refused usage
said "unknown option '--nosuch'"
ktap -o
refused usage
said "option '-o' needs an argument"
KTAP=$program
ktap -Z
test "$status" = 1 || fail "exit status $status"
said "unknown option '-Z'"

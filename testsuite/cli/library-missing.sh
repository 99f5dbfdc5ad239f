#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A library that KTAP_TAPSET names and that is not there is said, once.
. "$SRCDIR/testsuite/lib/sh.sh"
KTAP_TAPSET=$PWD/nosuch
export KTAP_TAPSET
ktap -p2 -e 'probe begin { println(1) }'
refused io
said "cannot read the library in '$PWD/nosuch', which .KTAP_TAPSET names: No such file or directory"
said 'note: run: unset KTAP_TAPSET'
mkdir nosuch
ktap -p2 -e 'probe begin { println(1) }'
accepted

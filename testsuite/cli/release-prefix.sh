#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -r takes the first numbers of a release, for its newest installed kernel with headers; of one version, not its PREEMPT_RT flavour.
# "6.1" is not 6.12.
. "$SRCDIR/testsuite/lib/sh.sh"
newest=$(for r in $(ls /lib/modules 2>/dev/null | sort -V); do test ! -e "/lib/modules/$r/build/Makefile" || echo "$r"; done | grep '^6\.1\.' | grep -v -e -rt- | tail -n 1)
test -n "$newest" || { echo "no 6.1 kernel with headers is installed"; exit 77; }
ktap -v -p4 -r 6.1 -e 'probe begin { exit() }'
accepted
cp out short
ktap -p4 -r "$newest" -e 'probe begin { exit() }'
accepted
cmp short out || fail "-r 6.1 is another kernel than $newest"
ktap -p4 -r 6 -e 'probe begin { exit() }'
accepted
ktap -p4 -r 6.99 -e 'probe begin { exit() }'
refused no-kernel

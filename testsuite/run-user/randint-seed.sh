#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each run draws random numbers of its own.
. "$SRCDIR/testsuite/lib/sh.sh"
for run in 1 2; do
	ktap --runtime=user -e 'probe begin { println(randint(1 << 62)) exit() }'
	accepted
	mv out out.$run
done
! cmp -s out.1 out.2 || fail "two runs draw $(cat out.1)"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @errno, with and without debugging information of the C library.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap -p2 -e 'probe process("/bin/true").begin { println(@errno) }'
if test "$status" = 0; then
	accepted
else
	refused no-debuginfo
	said "install"
fi

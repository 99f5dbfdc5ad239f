#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A library that a script expects in /lib64 is that of the dynamic linker where there is none in /lib64.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
test ! -e /lib64/libc.so.6 || { echo "this system has /lib64/libc.so.6"; exit 77; }

check()
{
	analyse 'probe process("/lib64/libc.so.6").function("malloc").call { }'
	accepted
	grep -q 'process("/.*libc.so.6").function("malloc' out || fail "not probed"
	analyse 'probe process("/lib64/libno-such-thing.so.6").function("malloc").call { }'
	refused no-program
}
on_each check

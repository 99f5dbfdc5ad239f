#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# do_sys_open is 9 places: the function, and 8 system calls that it is inlined into.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("do_sys_open") { println($flags) }'
	accepted
	test "$(grep -c '# at ' out)" = 9 || fail "$(grep -c '# at ' out) places"
	test "$(grep -c 'inlined into' out)" = 8 || fail "$(grep -c 'inlined into' out) inlined"
	printed 'inlined into __x64_sys_openat at fs/open.c'
}
on_each check

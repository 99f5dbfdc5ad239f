#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A variable without a location at one place: the place, the reason and the alternatives.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("do_sys_open").inline { println($how->mode) }'
	refused optimized-out
	said 'inlined into __x64_sys_creat at fs/open.c'
	said 'available there: .*\$filename'
	# Asked with @defined, each place gets its answer.
	analyse 'probe kernel.function("do_sys_open") { if (@defined($how->mode)) println($how->mode) else println(-1) }'
	accepted
	# In a text it is a question mark, alone or as a member of a structure of which other pieces are there.
	ktap -r "$R" -p3 -e 'probe kernel.function("build_open_how") { println($$vars$) }'
	accepted
	grep -qF '{.flags=?, .mode=%u, ' out || fail "no piece is shown as missing"
}
on_each check

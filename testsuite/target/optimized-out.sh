#!/bin/sh
# A variable without a location at one place: the place, the reason and the alternatives.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("do_sys_open") { println($mode) }'
	refused optimized-out
	said 'inlined into __x64_sys_openat at fs/open.c'
	said 'available there: .*\$filename'
	# Asked with @defined, each place gets its answer.
	analyse 'probe kernel.function("do_sys_open") { if (@defined($mode)) println($mode) else println(-1) }'
	accepted
}
on_each check

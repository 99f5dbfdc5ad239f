#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Code that kprobes refuse is refused with the reason; a glob leaves it out.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("start_kernel") { }'
	refused no-match
	said 'freed after boot'
	analyse 'probe kernel.function("exit_elf_binfmt") { }'
	refused no-match
	analyse 'probe kernel.function("do_int3") { }'
	refused no-match
	said 'noinstr'
	analyse 'probe kernel.function("*@arch/x86/kernel/traps.c").call { }'
	accepted
	! grep -q '^kernel.function("do_int3' out || fail 'do_int3 is among them'
	printed '^exc_int3@.*: it is code that may not be instrumented (noinstr)$'
}
on_each check

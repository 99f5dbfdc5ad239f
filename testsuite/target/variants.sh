#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# .call takes the function alone, .inline the instances, .return the function.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	for variant in .call .return .return.maxactive\(20\) .exported; do
		analyse "probe kernel.function(\"filp_close\")$variant { }"
		accepted
		test "$(grep -c '# at ' out)" = 1 || fail "filp_close$variant: $(grep -c '# at ' out) places"
	done
	# neither is there for modules: one is global, the other static
	analyse 'probe kernel.function("vfs_read").exported { }'
	accepted
	analyse 'probe kernel.function("do_iter_readv_writev").exported { }'
	refused no-match
	analyse 'probe kernel.function("do_sys_open").inline { println($flags) }'
	accepted
	test "$(grep -c '# at ' out)" = 8 || fail "$(grep -c '# at ' out) instances"
}
on_each check

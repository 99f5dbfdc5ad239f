#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script may have a global of the name that the array for values of registers at the entry has.
. "$SRCDIR/testsuite/lib/target.sh"
for R in $(debug_kernels); do
	analyse 'global kept probe kernel.function("do_sys_open*") { kept .= $$parms$ } probe end { println(kept) }'
	accepted
	printed '^kept:string'
	grep -q '__is_kept_1' out && found=1
done
test "$found" || fail "no kernel keeps the register"

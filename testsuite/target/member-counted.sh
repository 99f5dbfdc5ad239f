#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that only counts a member up writes to the target: its calls stay. A pointer that is printed at the end is an address.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" -g -p2 -e 'function after(p) { @cast(p, "struct file")->f_flags++ }
function before(p) { --@cast(p, "struct file")->f_flags }
probe kernel.function("vfs_read") { after($file); before($file) }'
	accepted
	test ! -s err || fail "a write was dropped"
	printed '^after:'
	printed '^before:'
	ktap -r "$R" -v -p2 -e 'global p, a, n
probe kernel.function("vfs_read") { p = $file; a[pid()] = $file; n = $count }'
	accepted
	printed 'printf("p=%p'
	printed '=%p.n", key1, a'
	printed 'printf("n=%d'
}
on_each check

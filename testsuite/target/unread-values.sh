#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A target variable in a value that nobody reads may be missing, as in SystemTap; a warning names it. Where the value is read, where
# it is that of a global, and with -u it is an error.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# with HANDLER [OPTION]
with()
{
	ktap -r "$R" -p2 ${2:-} -e "probe kernel.function(\"vfs_read\").call { $1 }"
}

check()
{
	with 'x = $nosuch; println(1)'
	accepted
	said "warning: no variable '\$nosuch'"
	said "warning: variable 'x' is assigned but never read"
	with 'if (pid()) x = $file->nosuch->member; x = 2; println(1)'
	accepted
	said "warning: 'struct file' has no member 'nosuch'"
	with '$nosuch; println(1)'
	accepted
	said "warning: no variable '\$nosuch'"
	with 'x = $nosuch; println(1)' -u
	refused target-var
	with 'x = $nosuch; println(x)'
	refused target-var
	with 'x = $nosuch; y = x; println(y)'
	refused target-var
	with 'println(x = $nosuch)'
	refused target-var
	ktap -r "$R" -p2 -e 'global x probe kernel.function("vfs_read").call { x = $nosuch }'
	refused target-var
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: one
# An array for which there is not enough memory is refused when the module is loaded, before any program is killed for it.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	ktap --vm="$release" -w -e 'global a[8000000] probe begin { a[user_string(1, "x")]++; exit() }'
	test "$status" = 1 || fail "exit status $status on $release"
	said "cannot load module .*: Cannot allocate memory \[run\]"
	said "arrays of the script are too large: .*MAPSTRINGLEN or array sizes"
	! grep -qi 'oom\|out of memory' out err || fail "a program was killed on $release"
	ktap --vm="$release" -w -DMAPSTRINGLEN=16 -e 'global a[800000] probe begin { a[user_string(1, "x")]++; println(a["x"]); exit() }'
	accepted
	printed '^1$'
done

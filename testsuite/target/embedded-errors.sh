#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A mistake in embedded C for the kernel: the compiler's message with the script's line and a caret, nothing of make.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

cat >wrong.stp <<'END'
function f:long() %{ STAP_RETVALUE =
	no_such_name; %}
probe begin { println(f()) }
END
check()
{
	ktap -r "$R" -g -p4 wrong.stp
	refused build
	said "^wrong.stp:2:2: error: embedded C: .no_such_name. undeclared (first use in this function).*\\[build\\]"
	! grep -q 'make\|CC ' err || fail "make speaks"
}
on_each check

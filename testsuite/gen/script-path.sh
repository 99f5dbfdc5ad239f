#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The path of a script is in comments and literals of its C, and ends none of them, whatever it is.
. "$SRCDIR/testsuite/lib/sh.sh"

# runs DIRECTORY: a script in it, without a word from the compiler. Another copy of it would be a second definition of main().
runs()
{
	mkdir -p "$1"
	cat >"$1/x.stp" <<'STP'
global total
function add(n) { total += n return total / (n - 1) }
probe begin { println(add(3)) println(pp()) exit() }
STP
	ktap --runtime=user "$1/x.stp"
	accepted
	test ! -s err || fail "the compiler says something about '$1'"
	test "$(head -n 1 out)" = 1 || fail "prints something else"
}

runs 'a*'
runs 'b*/ int main(void) { return 7; } /*'
runs 'c/*'
runs 'd\"%s'
runs "$(printf 'e\nint main(void) { return 7; }\n')"

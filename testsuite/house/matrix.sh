#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `scripts/matrix trixie`: ktap builds on Debian 13, and the smoke tests pass on its kernel. The root takes two gigabytes and some
# minutes, so only CI makes it.
. "$SRCDIR/testsuite/lib/sh.sh"
test -n "${CI:-}" || {
	echo "makes a root of Debian 13, two gigabytes: run it with CI=true"
	exit 77
}
trap 'rm -rf roots' EXIT
KTAP_MATRIX=$PWD/roots "$SRCDIR/scripts/matrix" trixie >out 2>&1 || {
	if grep -qE 'mmdebstrap failed|only root' out; then
		echo "no root of Debian 13 can be made here: $(tail -n 3 out)"
		exit 77
	fi
	cat out
	tail -n 20 roots/trixie.log
	fail "scripts/matrix trixie"
}
grep -q '^trixie .* [1-9][0-9]* passed, 0 failed' out || {
	cat out
	fail "no row of trixie that passed"
}

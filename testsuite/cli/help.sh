#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --help and --version print on stdout and succeed.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap --help
accepted
printed '^Usage: ktap '
printed '--vm'
test ! -s err || fail "--help writes on stderr"
ktap --version
accepted
printed '[0-9]\.[0-9]'
# Wrappers look for SystemTap's version.
test "$(sed -n 's/.*version \([0-9.]*\).*/\1/p' out)" = 5.6 || fail "no SystemTap version"

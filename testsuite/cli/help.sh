#!/bin/sh
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

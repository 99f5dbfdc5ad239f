#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Listings and dumps that cannot be written are an error.
. "$SRCDIR/testsuite/lib/sh.sh"
test -c /dev/full || { echo "there is no /dev/full"; exit 77; }
for arguments in '-l begin' '--dump-probe-types' '--dump-functions' '-p1 -e probe\ begin{}'; do
	status=0
	eval "\"\$KTAP\" $arguments" >/dev/full 2>err </dev/null || status=$?
	refused io
	said 'cannot write standard output: No space left on device'
done

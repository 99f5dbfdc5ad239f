#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An error that only close() of the output reports is one of the session, with --runtime=user, --remote and a live view.
. "$SRCDIR/testsuite/lib/sh.sh"

${CC:-gcc} -D_GNU_SOURCE -shared -fPIC -o close.so "$SRCDIR/testsuite/lib/late-errors.c" || fail "cannot compile"
for option in --timestamps=mono --remote=direct: --prometheus=127.0.0.1:0; do
	status=0
	LD_PRELOAD=$PWD/close.so "$KTAP" --runtime=user $option -e 'probe begin { println("printed") exit() }' >late 2>err </dev/null || status=$?
	[ "$status" = 1 ] || fail "$option: status $status"
	said 'cannot write the output: Disk quota exceeded'
	grep -q 'printed$' late || fail "$option: it printed: $(cat late)"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktaprun -o FIFO waits for a reader, and a signal ends that.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
ktap -p4 -r "${release%% *}" -e 'probe begin { exit() }'
accepted
mkfifo fifo
"$BUILDDIR/ktaprun" -o fifo "$(cat out)" >out2 2>err & pid=$!
sleep 1
kill -TERM $pid
(sleep 20; kill -KILL $pid) 2>/dev/null & killer=$!
status=0
wait $pid || status=$?
kill $killer 2>/dev/null || :
test $status = 143 || fail "ktaprun ended with status $status"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest writes is not on the host; the guest sees the current folder; its exit status is ours.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
echo here >seen
"$BUILDDIR/ktap-vm" -n "$release" -- sh -c 'cat seen; echo changed >seen; echo new >written; exit 7' >out 2>err
status=$?
test "$status" = 7 || fail "exit status $status"
printed '^here$'
test "$(cat seen)" = here || fail "the guest changed a file of the host"
test ! -e written || fail "the guest made a file on the host"

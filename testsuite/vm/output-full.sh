#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest prints and cannot be written here, on a full disk, is an error; a reader that goes away ends the VM.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
[ -c /dev/full ] || exit 77
release=$(kernels)
release=${release%% *}
status=0
timeout 300 "$KTAP" --vm="$release" --vm-exec 'echo one; sleep 1; echo two' >/dev/full 2>err </dev/null || status=$?
[ "$status" = 1 ] || fail "exit status $status with a full disk"
said 'cannot write the output: No space left on device'
timeout 300 "$KTAP" --vm="$release" --vm-exec 'while sleep 0.1; do echo line; done' 2>err </dev/null | head -n 1 >out
[ "$(cat out)" = line ] || fail "it printed: $(cat out)"
! grep "cannot write" err || fail "a reader that went away is no error"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Trampolines of static calls in modules are refused: a breakpoint there stops the kernel by BUG() when it rewrites one.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

test "$(machine)" = x86_64 || exit 77 # others have none
R=$(a_kernel)
for name in __SCT__tp_func_rpc_task_begin '__SCT__*'; do
	analyse "probe kprobe.module(\"sunrpc\").function(\"$name\") { }"
	refused no-match
	said 'the kernel rewrites it (static call)'
done
ktap -r "$R" -l 'kprobe.module("sunrpc").function("*rpc_task_begin*")'
accepted
! grep -q __SCT__ out || fail 'a trampoline is listed'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=user and a function that only the kernel has: a refusal at the call, nothing of the linker.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"

ktap --runtime=user -p4 -e 'function f() { return ns_pid() }
probe begin {
	println(f())

}'
test "$status" = 1 || fail "status $status"
said "<input>:1:23: error: 'ns_pid()' works in the kernel only \\[unsupported\\]"

! grep -q 'undefined\|ld:\|collect2' err || fail "the linker's words"
ktap --runtime=user -g -p4 -e 'probe begin { mdelay(3) }'
refused unsupported
said "<input>:1:15: error: 'mdelay()' works in the kernel only"

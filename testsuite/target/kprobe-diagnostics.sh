#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kprobe points: what is refused, and what helps.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# The symbols of a module that is installed are known, a cold part has no return; a module that is not may come from elsewhere.
modules()
{
	test -e "/lib/modules/$R/kernel/drivers/block/loop.ko" || return 0
	analyse 'probe kprobe.module("loop").function("loop_ad") { }'
	refused no-match
	said "did you mean 'loop_add'?"
	nm "/lib/modules/$R/kernel/drivers/block/loop.ko" | sed -n 's/.* [tT] \(loop_[^ ]*\)$/\1/p' | LC_ALL=C sort -u |
		sed '/[.]cold/d; s/.*/kprobe.module("loop").function("&").return/' >expected
	ktap -r "$R" -l 'kprobe.module("l*p").function("loop_*").return'
	accepted
	cmp expected out || fail "not the functions that nm prints"
	analyse 'probe kprobe.module("virtio-rng").function("virtrng_pr*") { }'
	accepted
	printed 'at virtio_rng:virtrng_probe, by symbol'
	analyse 'probe kprobe.module("looop").function("loop_add") { }'
	accepted
	said "warning: no module 'looop' is installed"
	said "did you mean 'loop'?"
	analyse 'probe kprobe.module("my_own").function("start_of_it") { }'
	accepted
	! grep -q warning err || fail "a module from elsewhere is nothing to warn of"
	analyse 'probe kprobe.module("my_own*").function("start_of_it") { }'
	refused no-match
	analyse 'probe kprobe.module("ext4").function("ext4_*") { }'
	refused no-match
	said 'it is built in'
	analyse 'probe kprobe.module("ext4").function("ext4_*") ?, kprobe.module("x*y*z").function("f*") ?, begin { }'
	accepted
}

check()
{
	analyse 'probe kprobe.function("vfs_raed") { }'
	refused no-match
	said "did you mean 'vfs_read'?"
	analyse 'probe kprobe.function("vfs_raed") ?, begin { }'
	accepted
	analyse 'probe kprobe.function("do_syscall_64") { }'
	refused no-match
	said "may not be instrumented"
	# NOKPROBE_SYMBOL(): a wildcard, whose functions ftrace takes unasked, finds those beside it
	ktap -r "$R" -l 'kprobe.function("raw_notifier_call_chain"), kprobe.function("*notifier_call_chain")'
	printed '"raw_notifier_call_chain"'
	! grep -q '"notifier_call_chain"' out || fail "NOKPROBE_SYMBOL(notifier_call_chain) is not denied"
	analyse 'probe kprobe.function("vfs_read@fs/read_write.c") { }'
	refused probe-arg
	analyse 'probe kprobe.function("vfs_read").return.maxactive(70000) { }'
	refused probe-arg
	modules
	analyse 'probe kprobe.statement(0xffffffff81000000).absolute { }'
	refused guru
	analyse 'probe kprobe.function("vfs_read") { println($file) }'
	refused target-var
}
on_each check

#!/bin/sh
# kprobe points: what is refused, and what helps.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

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
	analyse 'probe kprobe.function("vfs_read@fs/read_write.c") { }'
	refused probe-arg
	analyse 'probe kprobe.function("vfs_read").return.maxactive(70000) { }'
	refused probe-arg
	analyse 'probe kprobe.module("ext4").function("ext4_*") { }'
	refused probe-arg
	analyse 'probe kprobe.statement(0xffffffff81000000).absolute { }'
	refused guru
	analyse 'probe kprobe.function("vfs_read") { println($file) }'
	refused target-var
}
on_each check

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Habits that only the target shows: tracepoints of system calls, sys_ functions, $retval, %s of an address.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}

# says SCRIPT TAG NOTE
says()
{
	ktap -p2 -r "$release" -e "$1"
	refused "$2"
	said "note: $3"
}

says 'probe kernel.trace("syscalls:sys_enter_openat") { }' no-match 'write syscall.openat$'
says 'probe kernel.function("sys_open") { }' no-match 'write syscall.open$'
says 'probe kernel.function("vfs_read").return { println($retval) }' target-var 'write $return$'
said 'available there: $return, $file'
says 'probe kernel.function("vfs_read") { println($retval) }' target-var 'write $return in a .return probe$'
says 'probe kprobe.function("vfs_read").return { println($return) }' target-var 'write returnval()'
says 'probe kernel.function("do_sys_openat2") { printf("%s", $filename) }' format 'write kernel_string($filename), or user_string($filename)'
says 'probe kernel.function("vfs_open") { printf("%s", $path->dentry->d_name->name) }' format \
	'write kernel_string($path->dentry->d_name->name), or user_string($path->dentry->d_name->name)'

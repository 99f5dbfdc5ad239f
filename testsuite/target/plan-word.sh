#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktap plan`: places, mechanism, where variables live, and what was left out; nothing is built or run.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	# The convention of calls puts the first four arguments there; a local has no value yet.
	ktap plan -r "$R" -e 'probe kernel.function("vfs_read"), kernel.function("vfs_read").return { println($count) }'
	accepted
	printed '^  # at 0x[0-9a-f]* vfs_read+0 fs/read_write.c:[0-9]*, ftrace$'
	printed '^  # at 0x[0-9a-f]* vfs_read+0 fs/read_write.c:[0-9]*, ftrace and return hook$'
	printed '^  #   \$file:struct file\* in rdi$'
	printed '^  #   \$buf:char\* in rsi$'
	printed '^  #   \$count:size_t in rdx$'
	printed '^  #   \$pos:loff_t\* in rcx$'
	printed '^  #   \$ret:ssize_t not here: '
	printed '^  #   \$return:ssize_t as the function.s value$'
	printed '^  #   \$count:size_t in rdx, read at the entry$'
	! grep -q 'println' out || fail "it prints bodies"
	! grep -q 'left out' out || fail "nothing was left out"
	test ! -s err || fail "it writes on stderr"

	# Arguments behind the registers are above the return address.
	ktap plan -r "$R" --debuginfo=btf -e 'probe kernel.function("generic_file_llseek_size"), kernel.function("vfs_copy_file_range") { }'
	accepted
	printed '^  #   \$eof:loff_t in r8$'
	printed '^  #   \$flags:unsigned int in r9$'
	ktap plan -r "$R" --debuginfo=btf -e 'probe kernel.function("__alloc_skb"), kernel.function("vm_mmap_pgoff") { }'
	accepted
	printed 'in r9$'

	ktap plan -r "$R" -e 'probe kernel.trace("sched_switch") { }'
	accepted
	printed '^  #   \$prev:struct task_struct\* argument 2$'

	# do_sys_open is inlined in system calls.
	ktap plan -r "$R" -e 'probe kernel.function("do_sys_open") { }'
	printed '^  # at 0x[0-9a-f]* __x64_sys_openat+[0-9]* fs/open.c:[0-9]*, inlined into __x64_sys_openat at fs/open.c:[0-9]*, kprobe$'

	# What kprobes refuse is named with the reason: a copy in noinstr code, a function that the init section holds.
	ktap plan -r "$R" -e 'probe kernel.function("int3_emulate_*") ?, kernel.function("vfs_cache*") ?, begin { }'
	accepted
	printed '^# left out: [1-9][0-9]*$'
	printed '^vfs_caches_init@fs/dcache.c:[0-9]* at 0x[0-9a-f]*: it is freed after boot$'
	printed ': it is code that may not be instrumented (noinstr)$'
	! grep -q '^kernel.function("vfs_caches_init@' out || fail "left out and probed"
}
on_each check
# The word alone is the name of a script that is not there.
ktap plan
test "$status" != 0 && said "'plan'" || fail "the word alone is accepted"

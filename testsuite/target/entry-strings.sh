#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Strings that @entry keeps have less room than numbers: what is too much is refused. Values of variables are strings as others are.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

eight='@entry(execname() . "1"), @entry(execname() . "2"), @entry(execname() . "3"), @entry(execname() . "4"),
@entry(execname() . "5"), @entry(execname() . "6"), @entry(execname() . "7"), @entry(execname() . "8")'

check()
{
	analyse "probe kernel.function(\"vfs_read\").return { println($eight) }"
	refused unsupported
	said 'smaller -D MAXSTRINGLEN'
	ktap -r "$R" -p2 -D MAXSTRINGLEN=256 -e "probe kernel.function(\"vfs_read\").return { println($eight) }"
	accepted
	analyse 'probe kernel.function("vfs_read").return { println(@entry(execname()), @entry(execname()) . "", @entry($file$)) }'
	accepted
	analyse 'global names, last = "", times
function name() { n = execname(); return n }
probe kernel.function("vfs_read") { names[tid()] = execname(); times[tid()] = tid() }
probe kernel.function("vfs_read").return {
	println(@entry(names[tid()]) . @entry(last) . @entry(name()), @entry(times[tid()]) + 1)
}'
	accepted
	analyse 'probe kernel.function("vfs_read").return { println(@entry($count) . "") }'
	refused type
}
on_each check

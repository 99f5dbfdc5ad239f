#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @errno where the C library has debugging information, and where it has none: a copy of it that was stripped of its build-id.
. "$SRCDIR/testsuite/lib/sh.sh"
libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 (.*x86-64) => //p' | head -n 1)
test -n "$libc" || { echo "no C library of x86-64"; exit 77; }
id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
debug=/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug
ktap -p2 -e 'probe process("/bin/true").begin { println(@errno) }'
if test -e "$debug"; then
	accepted
	printed 'process(".*/true").begin'
else
	refused no-debuginfo
	said "install"
fi
objcopy --remove-section .note.gnu.build-id --remove-section .gnu_debuglink "$libc" copy.so || fail "cannot copy $libc"
ktap -p2 -e 'probe process("/bin/true").begin { println(@var("errno", "./copy.so")) }'
test "$status" != 0 || fail "a library without debugging information has errno"

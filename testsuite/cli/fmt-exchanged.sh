#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap fmt writes to the file that it read. Whoever owns the directory can exchange it for a link meanwhile; then nothing is overwritten.
# A set-user-ID bit, which the owner can set after a look at the file, is not copied.
. "$SRCDIR/testsuite/lib/sh.sh"

printf 'probe  begin { }\n' >bits.stp
chmod 6754 bits.stp
ktap fmt bits.stp
accepted
test "$(stat -c %a bits.stp)" = 754 || fail "the mode is $(stat -c %a bits.stp)"

# exchanged PATH COMMAND: formatting PATH, with COMMAND run after the file was read.
exchanged()
{
	size=$(stat -L -c %s "$1")
	"$KTAP" fmt "$1" >out 2>err </dev/null &
	pid=$!
	until test "$(sed -n 's/^rchar: //p' /proc/$pid/io)" -gt "$size"; do
		kill -0 $pid 2>/dev/null || fail "ended before it was read"
		sleep 0.01
	done
	eval "$2"
	kill -0 $pid 2>/dev/null || fail "ended before the exchange"
	status=0
	wait $pid || status=$?
	cmp -s precious kept || fail "another file is overwritten"
	test "$(find . -name '*.tmp-*')" = '' || fail "a temporary file is left"
}
unwritten()
{
	test "$status" = 2 || fail "status $status"
	refused io
	said "cannot write '$1': another file took its place while it was read"
}
# A script that takes a second to format.
large()
{
	awk 'BEGIN { for (i = 0; i < 60000; i++) print "function  f" i "(a,b) { return a+b*" i " }" }' >"$1"
}
echo precious >precious
cp precious kept
mkdir dir other
large dir/large.stp
cp dir/large.stp other/large.stp
exchanged dir/large.stp 'ln -sf "$PWD/precious" dir/large.stp'
unwritten dir/large.stp
test -L dir/large.stp || fail "the link is replaced"

cp other/large.stp dir/next.stp
ln -s next.stp dir/link.stp
exchanged dir/link.stp 'ln -sf "$PWD/precious" dir/link.stp'
accepted
cmp -s other/large.stp dir/next.stp && fail "the file that was read is not the one written"

# The directory is exchanged for a link: the file that was read is written, where it is now.
cp other/large.stp dir/next.stp
mkdir target
cp precious target/next.stp
exchanged dir/next.stp 'mv dir moved && ln -s target dir'
accepted
cmp -s precious target/next.stp || fail "a file in the new directory is overwritten"
cmp -s other/large.stp moved/next.stp && fail "the file that was read is not the one written"
exit 0

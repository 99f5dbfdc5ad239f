#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Another user cannot take the connection to virtiofsd, which reads the host's files with the rights of ktap: one that connects first, while
# strace delays ktap, is left with a socket that nobody serves.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
cat >thief.pl <<'END'
use strict; use warnings; use Socket;
my $known; # sockets that were there before
$| = 1;
while (1) {
	open(my $sockets, '<', '/proc/net/unix') or die;
	my @names = map { /^\S+: \S+ \S+ 00010000 .*@([0-9a-f]{5})$/ ? $1 : () } <$sockets>;
	if (!$known) {
		$known = { map { $_ => 1 } @names };
		print "ready\n";
	}
	for my $name (grep { !$known->{$_} } @names) {
		my $s;
		socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack_sockaddr_un("\0$name")) or next;
		print "connected\n";
		syswrite($s, pack('L3', 1, 1, 0)); # vhost-user: get features
		print sysread($s, my $answer, 64) ? "served\n" : "closed\n";
		exit;
	}
}
END
: >thief
other=
test "$(id -u)" != 0 || other='setpriv --reuid=65534 --regid=65534 --clear-groups'
$other perl - <thief.pl >thief &
thief=$!
trap 'kill $thief 2>/dev/null' EXIT
until_says $thief ready thief "nobody looks for the socket"
strace -o trace -e trace=connect -e inject=connect:delay_enter=2000000:when=1 "$BUILDDIR/ktap-vm" -n "$(kernels)" -- echo up >out 2>err ||
	fail "exit status $?"
printed '^up$'
wait $thief
grep -q connected thief || fail "the delay was too short"
grep -q closed thief || fail "virtiofsd served another user"

#!/bin/sh
# --notify: what systemd is told, in this order, by a script with nothing to print; and without systemd.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >listen.pl <<'END'
use strict;
use warnings;
use Socket;
socket(my $in, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!\n";
bind($in, pack_sockaddr_un($ARGV[0])) or die "bind: $!\n";
my $pid = fork() // die "fork: $!\n";
if (!$pid) {
    $ENV{NOTIFY_SOCKET} = $ARGV[0];
    exec(@ARGV[1 .. $#ARGV]) or die "exec: $!\n";
}
my ($ready, $alive) = (0, 0);
while (1) {
    recv($in, my $text, 4096, 0) // die "recv: $!\n";
    my %said = map { /^([A-Z]+)=(.*)$/ ? ($1, $2) : () } split /\n/, $text;
    die "ready twice, or after it was alive\n" if $said{READY} && ($ready++ || $alive);
    $alive++ if $said{WATCHDOG};
    kill 'TERM', $pid if $alive == 3;
    last if $said{STOPPING};
}
waitpid($pid, 0);
print "ready $ready, status $?\n", $alive >= 3 ? "alive\n" : "not alive\n";
END
timeout 600 perl listen.pl "$PWD/socket" "$KTAP" --runtime=user --notify --snapshots=0.1 -e 'probe timer.s(1000) { }' >out 2>err </dev/null || fail "the listener ended with $?"
printed '^ready 1, status 0$'
printed '^alive$'
(unset NOTIFY_SOCKET; "$KTAP" --runtime=user --notify -e 'probe timer.s(1000) { }' >out 2>err </dev/null) && fail "ran without systemd"
said 'error: --notify: NOTIFY_SOCKET is not set \[usage\]'
# An abstract name is an address of systemd, too; what is neither that nor a path is refused.
for path in relative / "/$(printf %0200d 0)"; do
	NOTIFY_SOCKET=$path ktap --runtime=user --notify -e 'probe timer.s(1000) { }'
	refused run
	said "NOTIFY_SOCKET is no address of a socket: '$path'"
done
NOTIFY_SOCKET=@ktap-no-such-listener-$$ ktap --runtime=user --notify -T 0.1 -e 'probe timer.s(1000) { }'
accepted

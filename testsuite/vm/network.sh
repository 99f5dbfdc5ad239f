#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm-network gives the guest a configured card and a way out; without it there is the loopback interface alone. --vm-cpus.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
# A server of one line, which answers the first connection.
perl -MIO::Socket::INET -e '$| = 1; $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die; print $s->sockport, "\n";
	alarm 600; $c = $s->accept; print $c "from the host\n"' >port &
server=$!
trap 'kill $server 2>/dev/null' EXIT
until test -s port; do sleep 0.1; done
ask='perl -MIO::Socket::INET -e "print IO::Socket::INET->new(\"10.0.2.2:$1\")->getline"'
ktap --vm="$release" --vm-network --vm-cpus=1 --vm-exec "set -- $(cat port); $ask; nproc; ls /sys/class/net; cat /etc/resolv.conf"
accepted
printf 'from the host\n1\neth0\nlo\nnameserver 10.0.2.3\n' | diff - out || fail "the guest says something else"
ktap --vm="$release" --vm-exec 'ls /sys/class/net; nproc'
accepted
printf 'lo\n2\n' | diff - out || fail "there is a network without --vm-network"
for option in --vm-cpus=0 --vm-cpus=256 --vm-cpus=two; do
	ktap --vm $option --vm-exec true
	refused usage
done
for option in --vm-cpus=1 --vm-network; do
	ktap $option -e 'probe begin { exit() }'
	refused usage
done

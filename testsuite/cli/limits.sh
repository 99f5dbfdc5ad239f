#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Under each limit of setrlimit(2), however small, ktap does its work or reports one error: it never crashes.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir tmp && TMPDIR=$PWD/tmp && export TMPDIR || exit 1
for bound in stack=65536 stack=200000 stack=2000000 nofile=4 nofile=6 nofile=10 as=20000000 as=60000000 data=2000000 \
	data=4000000 fsize=0 fsize=1000 fsize=100000 nproc=0 nproc=1 memlock=0 core=0 sigpending=0 locks=0; do
	for how in -p1 -p2 --runtime=user; do
		# shellcheck disable=SC2086
		{ prlimit --$bound "$KTAP" $how -e 'probe begin { exit() }' 2>&1 </dev/null; echo "status $?"; } | cat >out
		case $(tail -n 1 out) in
		'status 0') ;;
		'status 1' | 'status 127') test "$(grep -c '^ktap: error: \|error while' out)" = 1 || fail "$bound, $how: not one error" ;;
		*) fail "$bound, $how" ;;
		esac
	done
done
ktap --rlimit-stack=65536 -p1 -e 'probe begin { exit() }'
refused usage
said 'error: --rlimit-stack=65536: at least 1048576 bytes are needed'
# At the limit on processor time a session in a process ends in order.
{ prlimit --cpu=2 "$KTAP" --runtime=user -D MAXACTION=1000000 -e 'global n probe timer.ms(1) { for (i = 0; i < 100000; i++) n += i } probe end { println("end") }' \
	2>&1 </dev/null; echo "status $?"; } | cat >out
grep -q '^end$' out && grep -q '^status 0$' out || fail "no end at the limit on processor time"

# A umask that takes the owner's rights: root gets as far as the program, and is told why it does not start.
if test "$(id -u)" = 0; then
	mask=$(umask)
	umask 0177
	ktap --runtime=user -e 'probe begin { exit() }'
	umask "$mask"
	refused run
	said 'note: .* try --tmpdir=DIR, or umask 022$'
fi

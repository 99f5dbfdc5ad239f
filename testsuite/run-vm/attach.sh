#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktaprun --attach: root and a member of the group ktap read along with a session in the background, from a whole line on; who is no member
# cannot. Readers that are killed, that stand still, that write, or that are too many do not disturb the session.
# Runs itself inside the VM with the words `guest KTAPRUN FOLDER`.

. "$(dirname "$0")/../lib/guest.sh"
stop() { echo "$1"; tail -n 3 /tmp/kt-* 2>/dev/null; exit 1; }

# as GROUPS COMMAND...: as a user with these supplementary groups.
as() { groups=$1; shift; setpriv --reuid=1000 --regid=1000 "$groups" "$@"; }

# is_part FILE: its lines are a part of what the session recorded.
is_part() {
	first=$(head -n 1 "$1")
	sed -n "/^$first\$/,\$p" /tmp/kt-rec | head -n "$(wc -l <"$1")" | cmp -s - "$1" || stop "$1 is no part of the record"
}

guest() {
	run=$1 name=kt_attach
	{ cat /etc/group; echo ktap:x:777:; } >/tmp/group
	mount --bind /tmp/group /etc/group
	"$run" --attach $name 2>/tmp/kt-err && stop "attached to nothing"
	grep -q "error: there is no session '$name'" /tmp/kt-err || stop "no session"
	pid=$("$run" -D -o /tmp/kt-rec "$2/$name.ko")
	[ "$(stat -c '%a %U %g' /run/ktap/$name /run/ktap | tr '\n' ,)" = '660 root 777,755 root 0,' ] || stop "$(stat -c '%a %U %g' /run/ktap/$name /run/ktap)"
	as --clear-groups "$run" --attach $name 2>/tmp/kt-err && stop "a stranger attached"
	grep -q "error: you may not attach" /tmp/kt-err || stop "strangers"
	"$run" --attach other 2>/tmp/kt-err && stop "attached to another"
	grep -q "note: these can be attached to: $name" /tmp/kt-err || stop "no list"
	as --groups=777 sh -c "'$run' -d $name || kill $pid || cat /proc/ktap_$name" 2>/tmp/kt-err && stop "a reader controls the session"

	as --groups=777 "$run" --attach $name >/tmp/kt-member 2>/tmp/kt-err & member=$!
	"$run" --attach $name >/tmp/kt-root & root=$!
	until_true '[ $(wc -l </tmp/kt-member) -gt 200 ] && [ $(wc -l </tmp/kt-root) -gt 200 ]'
	kill -9 $root
	is_part /tmp/kt-root
	# Six that stand still, one that writes, one more, and one too many.
	stuck=
	for i in 1 2 3 4 5 6; do
		"$run" --attach $name >/tmp/kt-stuck$i 2>/tmp/kt-late$i & stuck="$stuck $!"
		until_true "[ -s /tmp/kt-stuck$i ]"
		kill -STOP $!
	done
	perl -MSocket -e 'socket(S, AF_UNIX, SOCK_SEQPACKET, 0) && connect(S, sockaddr_un(shift)) or die;
		$SIG{PIPE} = "IGNORE"; mkdir("/tmp/kt-writes"); send(S, "x" x 1000, MSG_DONTWAIT) for 1 .. 100000; sleep 100' /run/ktap/$name & writer=$!
	until_true '[ -e /tmp/kt-writes ]'
	"$run" --attach $name >/tmp/kt-ninth 2>/tmp/kt-err & ninth=$!
	wait $ninth && stop "nine readers"
	grep -q "error: session '$name' has 8 readers" /tmp/kt-err || stop "the ninth"
	kill -9 $writer
	# 10,000 lines of 1,000 bytes are more than what is kept for a reader.
	kill -USR1 "$pid"
	until_true 'grep -q "^much 9999 " /tmp/kt-rec'
	[ "$(grep -c '^much ' /tmp/kt-rec)" = 10000 ] || stop "the session lost lines"
	last=${stuck##* }
	for i in ${stuck% *}; do kill -CONT "$i"; done
	until_true 'grep -q "bytes of the session.s output came faster" /tmp/kt-late3'
	! grep -q WARNING /tmp/kt-rec || stop "the session warns"
	kill -USR2 "$pid"
	until_true '[ -s /tmp/kt-rec.1 ]'
	kill -TERM "$pid"
	wait $member || stop "status $? of the reader"
	until_true "! kill -0 $pid 2>/dev/null"
	[ "$(tail -n 1 /tmp/kt-member)" = over ] || stop "the reader misses the end"
	! grep WARNING /tmp/kt-err || stop "a reader in time"
	# It stood still until after the end, with more before it than is kept.
	kill -CONT "$last"
	wait "$last" || stop "status $? of the last reader"
	grep -q "the last of it is not shown" /tmp/kt-late6 || stop "lost at the end, and not told"
	[ ! -e /run/ktap/$name ] || stop "the socket stays"

	# What a killed session left does not hinder the next.
	pid=$("$run" -D -o /tmp/kt-rec "$2/$name.ko")
	kill -9 "$pid"
	until_true "! kill -0 $pid 2>/dev/null"
	"$run" --attach $name 2>/tmp/kt-err && stop "attached to a killed session"
	grep -q "error: there is no session '$name'" /tmp/kt-err || stop "killed"
	pid=$("$run" -D -o /tmp/kt-rec "$2/$name.ko")
	"$run" --attach $name >/tmp/kt-again & again=$!
	until_true '[ -s /tmp/kt-again ]'
	kill -TERM "$pid"
	wait $again || stop "status $? of the second reader"
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
cat >attach.stp <<'END'
global n, much, go
probe timer.ms(10) {
	printf("line %d\n", n++)
	for (i = 0; go && much < 10000 && i < 200; i++)
		printf("much %d %0990d\n", much++, 0)
}
probe session.signal("SIGUSR1") { go = 1 }
probe end { println("over") }
END
for release in $(kernels); do
	ktap -r "$release" -p4 -m kt_attach attach.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 1200 "$release" -- sh "$0" guest "$BUILDDIR/ktaprun" "$PWD" >out 2>err </dev/null || fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done

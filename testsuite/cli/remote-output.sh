#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Output of sessions on other machines and of live views: an object of more than 1 MB is whole, text without newlines takes time in
# proportion, output that cannot be written is an error, objects of another form do no harm, and an ignored SIGCHLD neither.
. "$SRCDIR/testsuite/lib/sh.sh"
[ -c /dev/full ] || exit 77

cat >ssh <<'END'
#!/bin/sh
for command; do :; done
exec sh -c "$command"
END
chmod +x ssh
export KTAP_SSH=./ssh

echo 'global m probe begin { for (i = 0; i < 4000; i++) m[sprintf("%0500d", i)] = 1; exit() }' >large.stp
ktap --runtime=user --remote=h1 -D MAXACTION=100000 -D MAXMAPENTRIES=5000 -f json large.stp
accepted
[ "$(grep -c '^{"remote":"h1","type":"map".*}$' out)" = 1 ] || fail "the map is not whole"

echo 'probe begin { for (i = 0; i < 8000; i++) printf("%0400d", i); exit() }' >dots.stp
ktap --runtime=user --remote=h1 -D MAXACTION=100000 --merge dots.stp
accepted
[ "$(tr -d '\nh1: ' <out | wc -c)" -gt 3000000 ] || fail "text is missing"

# full ARGUMENT...: ktap with them reports that it cannot write, and fails.
full()
{
	status=0
	timeout 60 "$KTAP" "$@" >/dev/full 2>err </dev/null || status=$?
	[ "$status" = 1 ] || fail "exit status $status with a full disk: $*"
	said "cannot write the output: "
}
printf '%s\n' 'global n probe begin { printf("%0400d\n", 1) n++; exit() }' >line.stp
full --runtime=user --remote=h1 line.stp
full --runtime=user --merge --remote=h1 --remote=h2 line.stp
full --runtime=user --prometheus=127.0.0.1:0 line.stp
# A session that nobody reads ends, long before the script does.
printf '%s\n' 'probe timer.ms(20) { printf("%0400d\n", 1) } probe timer.s(50) { exit() }' >ticks.stp
timeout 40 "$KTAP" --runtime=user --prometheus=127.0.0.1:0 ticks.stp 2>err </dev/null | head -n 1 >out
! grep "cannot write" err || fail "a reader that went away is no error"

# Another machine prints objects that are none of ours, and a client asks for metrics.
cat >ssh <<'END'
#!/bin/sh
for command; do :; done
sh -c "$command" | sed -u '/"type":"start"/a {"type":"map","name":"a","entries":5}\n{"type":"map","name":"b","entries":{"a":1}}\n{"type":"map","name":"c","entries":[{"key":7,"value":1}]}\n{"type":"global","name":"d","value_type":"string","value":null}'
END
"$KTAP" --runtime=user --remote=h1 --prometheus=127.0.0.1:0 ticks.stp >out 2>err </dev/null & session=$!
trap 'kill $session 2>/dev/null' EXIT
until grep -q 'h1: a line is no record of ktap' err; do sleep 0.1; done
sleep 1
perl -MIO::Socket::INET -e 'open(F, "err"); my ($a) = map { m{http://([0-9.:]+)/} } <F>; my $s = IO::Socket::INET->new($a) or die "$a: $!\n";
	$s->syswrite("GET /metrics HTTP/1.0\r\n\r\n"); print while <$s>' >scraped || fail "the client says so"
grep -q '200 OK' scraped || fail "no answer"
kill -TERM $session || fail "objects of another form end it"
wait $session || [ $? -lt 128 ] || fail "objects of another form crash it"
trap : EXIT

perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$KTAP" --runtime=user -c 'echo ran' -e 'probe begin { }' >out 2>err </dev/null || fail "SIGCHLD was ignored"
grep -q '^ran$' out || fail "the command did not run"

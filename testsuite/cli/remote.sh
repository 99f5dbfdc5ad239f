#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --remote, --hosts and --merge, with a program in place of ssh that runs what ssh would run on the host: eight machines at once,
# of which some fail in different ways; Ctrl-C; hosts that are options of ssh.
. "$SRCDIR/testsuite/lib/sh.sh"

# The last two words are the host and the command.
cat >ssh <<'END'
#!/bin/sh
for word; do host=$command; command=$word; done
echo "$*" >>calls
case $host in
refuses) echo 'no route' >&2; exit 255 ;;
breaks) printf '\002ktap-remote facts %s %s 0\n' "$(uname -r)" "$(uname -m)"; head -c 100 >/dev/null; exit 255 ;;
lies) printf '\002ktap-remote facts ../../x x\n{"type":"map"}\n'; cat >/dev/null; exit 0 ;;
esac
exec sh -c "$command"
END
chmod +x ssh
export KTAP_SSH="./ssh -4"

cat >count.stp <<'END'
global sum, hits, sizes, name, v
probe begin {
	v = pid()
	printf("%d\n", v)
	sum += v
	hits["all", 1] += v
	hits[sprint(v % 2), 2]++
	sizes <<< 1 << (v % 4)
	name = "same"
	exit()
}
END
cat >hosts <<'END'
# of the rack
h1
ssh://root@h2:2222	# the second

h3
END
limit=120
ktap --runtime=user --merge --hosts=hosts --remote=h4 --remote=h5 --remote=h6 --remote=ssh://u@[::1] --remote=h8 count.stp
accepted
test "$(grep -c '^[^=]*[h1][^ ]*: [0-9]*$' out)" = 8 || fail "not a line from each of eight machines"
total=$(sed -n 's/^[^=]*: \([0-9]*\)$/\1/p' out | awk '{ sum += $1 } END { print sum }')
printed "^sum=$total\$"
printed "^hits\\[\"all\",1\\]=$total\$"
printed '^sizes: count 8, min [1248], max [1248], sum [0-9]*, avg [0-9]*$'
printed '^name="same"$'
test "$(grep -c '^name=' out)" = 1 || fail "equal strings are not one"
grep -q -e '^-4 -T .* -p 2222 -l root h2 sh -c ' calls || fail "port and user are not given as options"
grep -q -e ' -l u ::1 sh -c ' calls || fail "the address in brackets is not one"

# Output that looks like the end of a session is output. A directory for temporary files has a blank in its name.
mkdir 'a b' a
TMPDIR="$PWD/a b" ktap --runtime=user --remote=h1 -e 'probe begin { printf("\002ktap-remote status 0\n\002ktap-remote facts x y 0\n") }
	probe timer.ms(1500) { println("later") exit() }'
accepted
printed 'ktap-remote status 0$'
printed '^h1: later$'
test -d a || fail "a directory was removed that is not the session's"
test -z "$(ls 'a b')" || fail "something is left: $(ls 'a b')"

# Objects, of each machine and merged.
ktap --runtime=user -f json --merge --remote=h1 --remote=h1 count.stp
accepted
printed '^{"remote":"h1","type":"start",'
printed '^{"remote":"h1#2","type":"exit",'
printed '^{"type":"global","name":"sum","value_type":"long","value":[0-9]*,"remotes":\["h1\(#2\)\?","h1\(#2\)\?"\]}$'
ktap --runtime=user -f json --remote=h1 -o objects count.stp
accepted
grep -q '^{"remote":"h1","type":"map","name":"hits",' objects || fail "no map of the machine"

# A shell behind a socket, and one here.
perl -MIO::Socket::UNIX -e '
	my $c = IO::Socket::UNIX->new(Local => "socket", Listen => 1)->accept;
	open(STDIN, "<&", $c), open(STDOUT, ">&", $c), open(STDERR, ">&", $c), exec "sh"' &
until test -S socket; do sleep 0.1; done
ktap --runtime=user --merge --remote="unix:$PWD/socket" --remote=direct: -e 'global n = 4 probe begin { println("up") n *= 2; exit() }'
accepted
printed "^unix:$PWD/socket: up\$"
printed '^direct:: up$'
printed '^n=16$'

# Failures are said, and the rest completes.
ktap --runtime=user --merge --remote=h1 --remote=refuses --remote=breaks --remote=h2 --remote=lies count.stp
test "$status" = 1 || fail "exit status $status"
said '^refuses: no route$'
said 'error: refuses: cannot connect (exit status 255) \[run\]'
said 'error: breaks: the connection was lost (exit status 255) \[run\]'
said 'error: lies: it does not say which kernel it runs \[run\]'
said 'error: 3 of 5 machines failed: refuses, breaks, lies \[run\]'
total=$(sed -n 's/^h[12]: \([0-9]*\)$/\1/p' out | awk '{ sum += $1; n++ } END { print n == 2 ? sum : "not two" }')
printed "^sum=$total\$"
ktap --runtime=user --remote=h1 --remote=h2 -e 'probe begin { exit(3) }'
test "$status" = 1 || fail "exit status $status"
said 'error: h1: the session ended with status 3 \[run\]'
ktap --runtime=user --remote=h1 --remote=h2 -e 'probe begin { nosuch() }'
test "$status" = 1 || fail "exit status $status"
said '\[undef-function\]'
said 'error: 2 of 2 machines failed: h1, h2 \[run\]'

KTAP_SSH="./ssh 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16" ktap --runtime=user --remote=h1 -e 'probe begin { exit() }'
test "$status" = 1 || fail "exit status $status"
said 'error: h1: cannot connect: Argument list too long'

# A request to end reaches all; what they have is printed.
terminated 2 ': up$' --runtime=user --merge --remote=h1 --remote=h2 \
	-e 'global n probe begin { println("up") } probe timer.s(1000) { } probe end { n = 5 }'
accepted
printed '^n=10$'

# Commands reach each session, those that came while it was built too; their end does not end it. Snapshots come from each.
(echo 'disarm timer.ms(9)'; for try in $(seq 300); do grep -c '"command":"disarm' out 2>/dev/null | grep -q 2 && break; sleep 0.1; done; echo "arm 2") |
	"$KTAP" --runtime=user --control -f json --snapshots=0.2 --remote=h1 --remote=h2 -T 8 \
	-e 'global n probe timer.ms(9) { n++ } probe timer.s(1) { println(n) }' >out 2>err || fail "status $?"
for host in h1 h2; do
	printed "^{\"remote\":\"$host\",\"type\":\"command\",\"command\":\"disarm timer.ms(9)\",\"probes\":1}\$"
	printed "^{\"remote\":\"$host\",\"type\":\"command\",\"command\":\"arm 2\",\"probes\":1}\$"
	test "$(grep -c "^{\"remote\":\"$host\",\"type\":\"snapshot\"" out)" -gt 2 || fail "no snapshots from $host"
	sed -n "s/^{\"remote\":\"$host\",/{/p" out >$host.json
	perl "$SRCDIR/testsuite/lib/check-json" $host.json || fail "$host: not as the schema says"
done

# Sessions end when nobody reads what they print, or it cannot be written.
timeout 60 "$KTAP" --runtime=user --remote=h1 --remote=h2 -e 'probe timer.ms(10) { println("x") }' 2>err | head -n 2 >out
test "$(wc -l <out)" = 2 || fail "not two lines"
test -s err && fail "a reader that went away is no error"
status=0
timeout 60 "$KTAP" --runtime=user --remote=h1 -e 'probe timer.ms(10) { println("x") }' >/dev/full 2>err || status=$?
test "$status" = 1 || fail "exit status $status"
said 'cannot write the output: No space left on device'

for bad in --remote=-oProxyCommand=x --remote=ssh://-l@x --remote=ssh://x:port --remote=ssh://x/dir --remote=ssh:// --remote=unix: \
	--remote=libvirt://x --remote=ssh://[::1 --merge '--remote=x --vm' '--remote=x -p4' '--remote=x -r 6.1' '--merge --remote=x --folded' \
	'--remote=x -l begin' '--remote=x --merge -f json --snapshots=1' '--remote=x --remote=y --prometheus=:0'; do
	# shellcheck disable=SC2086
	ktap $bad count.stp
	refused usage
done
ktap --hosts=nosuch count.stp
refused io
ktap --hosts=/dev/null count.stp
refused usage
ktap --remote=x - </dev/null
refused usage
# What was made on the machines is gone.
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp
ktap --runtime=user --remote=h1 -e 'probe begin { exit() }'
accepted
test -z "$(ls tmp)" || fail "left: $(ls tmp)"
# Also when ktap is killed: what runs there ends with the connection, whose end a write meets.
ktap_killed()
{
	"$KTAP" --runtime=user --remote=h1 --remote=h2 -e 'probe timer.ms(50) { println("on") }' >killed-out 2>&1 &
	until grep -q on killed-out; do sleep 0.1; done
	kill -KILL $!
	wait $!
}
ktap_killed 2>/dev/null || true
for i in $(seq 300); do
	ls tmp/ktap.* >/dev/null 2>&1 || break
	sleep 0.1
done
! ls tmp/ktap.* >/dev/null 2>&1 || fail "left by a killed ktap: $(ls tmp)"

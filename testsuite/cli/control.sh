#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --control: disarm, arm, reset and list in a process: hits stop and go on, globals get back what the begin probes left, -G included, tables that
# only begin fills stay, and probes that ktap added are nobody's to switch. What is refused is answered, as text and as objects.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >script.stp <<'END'
global hits, n, last = "none", table, sizes, start = 100
private global own
probe begin { table["a"] = 5 n = 7 }
probe timer.ms(5) { hits[table["a"]] += randint(1) + 1 last = "x" sizes <<< 3 own++ start-- }
probe timer.ms(7) { n++ }
probe timer.ms(100) { printf("%d %d %d %s %d %d %d\n", hits[5], n, start, last, @count(sizes), own, table["a"]) }
END

# answered FILE TEXT: the next answer in FILE is this line.
answered()
{
	tries=0
	until test "$(sed -n "${answers}p" "$1")" = "$2"; do
		tries=$((tries + 1))
		test $tries -lt 200 || fail "answer $answers is '$(sed -n "${answers}p" "$1")', expected '$2'"
		sleep 0.1
	done
	answers=$((answers + 1))
}

# sample: a line of counts that began after now.
sample()
{
	lines=$(wc -l <out)
	until test "$(wc -l <out)" -gt $((lines + 1)); do kill -0 $pid || fail "ended too early"; sleep 0.05; done
	sed -n "$((lines + 2))p" out
}

begin()
{
	answers=1
	rm -f commands out err
	mkfifo commands
	"$KTAP" --runtime=user --control "$@" <commands >out 2>err &
	pid=$!
	exec 3>commands
	until test -s out; do kill -0 $pid || fail "ended too early"; sleep 0.1; done
}

finish()
{
	kill -INT $pid
	wait $pid || fail "status $?"
	exec 3>&-
}

begin -G start=1000000 script.stp
echo '   disarm   timer.ms(5)   ' >&3
answered err "ktap:    disarm   timer.ms(5)   : 1 probe"
first=$(sample) second=$(sample)
set -- $first
hits=$1 n=$2 start=$3
set -- $second
test "$1" = "$hits" && test "$hits" -gt 0 || fail "hits of a disarmed probe: $first, then $second"
test "$2" -gt "$n" || fail "the other probe stopped: $first, then $second"
test "$start" = $((1000000 - hits)) || fail "$first"
echo 'disarm timer.ms(7)' >&3
answered err "ktap: disarm timer.ms(7): 1 probe"
echo reset >&3
answered err "ktap: reset: done"
set -- $(sample)
test "$*" = "0 7 1000000 none 0 0 5" || fail "after the reset: $*"
echo 'arm timer.ms(7)' >&3
answered err "ktap: arm timer.ms(7): 1 probe"
echo 'arm 2' >&3
answered err "ktap: arm 2: 1 probe"
first=$(sample) second=$(sample)
test "${second%% *}" -gt "${first%% *}" || fail "armed again: $first, then $second"
# Patterns mean several, and none of the probes that ktap added.
printf 'disarm timer.*\nlist\narm 1\n# no command\n\narm 77\narm end\nfly\ndisarm\nreset now\n' >&3
answered err "ktap: disarm timer.*: 3 probes"
answered err "     1  armed     begin"
answered err "     2  disarmed  timer.ms(5)"
answered err "     3  disarmed  timer.ms(7)"
answered err "     4  disarmed  timer.ms(100)"
answered err "ktap: arm 1: 1 probe"
answered err "ktap: arm 77: no probe of the script is meant; 'list' shows them"
answered err "ktap: arm end: no probe of the script is meant; 'list' shows them"
answered err "ktap: fly: unknown command; there are disarm, arm, reset and list"
answered err "ktap: disarm: which probe? give its number or a pattern; 'list' shows them"
answered err "ktap: reset now: no argument expected"
lines=$(wc -l <out)
# A line that is too long is one wrong command, and the one after it is understood.
{ head -c 10000 /dev/zero | tr '\0' a; echo; echo 'arm timer.*'; } >&3
answered err "ktap: ...: the line is too long"
answered err "ktap: arm timer.*: 3 probes"
until test "$(wc -l <out)" -gt "$lines"; do sleep 0.1; done
finish
test "$(grep -c . err)" = $((answers - 1)) || fail "more answers than commands"

# Objects, and ledgers that say that a probe is off; a disarmed probe has no hits.
begin -f json --snapshots=0.2 script.stp
printf 'disarm timer.ms(7)\nlist\nreset\narm 9\n' >&3
until grep -q '"command":"arm 9"' out && grep -q '"number":3,"off":"command"' out; do kill -0 $pid || fail "ended"; sleep 0.1; done
first=$(grep '"number":3,"off":"command"' out | tail -n 1)
sleep 1
test "$(grep '"number":3,"off":"command"' out | tail -n 1)" = "$first" || fail "hits of a disarmed probe"
finish
printed '^{"type":"command","command":"disarm timer.ms(7)","probes":1}$'
printed '^{"type":"command","command":"list","list":\[{"number":1,"point":"begin","state":"armed"},{"number":2,"point":"timer.ms(5)","state":"armed"},{"number":3,"point":"timer.ms(7)","state":"disarmed"},{"number":4,"point":"timer.ms(100)","state":"armed"}\]}$'
printed '^{"type":"command","command":"reset"}$'
printed '^{"type":"command","command":"arm 9","error":"no probe of the script is meant;'
perl "$SRCDIR/testsuite/lib/check-json" out || fail "not as the schema says"

# What the script starts reads no commands; the end of the commands is not that of the session.
printf 'disarm 5\nlist\n' | "$KTAP" --runtime=user --control -c 'cat; until [ -e ticked ]; do sleep 0.1; done' \
	-e 'global n probe timer.ms(10) { if (++n == 21) system("touch ticked") } probe end { println(n > 20) }' >out 2>err || fail "status $?"
test "$(cat out)" = 1 || fail "the session ended with its commands"
said 'ktap: disarm 5: no probe'
said '     1  armed     timer.ms(10)'

# There is nothing to reset.
(sleep 0.5; echo reset) | "$KTAP" --runtime=user --control -T 1 -e 'global n probe begin { n = 1 } probe timer.s(9) { println(n) }' >out 2>err
said 'ktap: reset: the script was built without --control, or changes no global after it began'

ktap --runtime=user --control -
refused usage
said "error: --control reads standard input: give the script as a file or with -e"
ktap --control -F -o x -e 'probe begin { exit() }'
refused usage

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap help: its probe points parse, its functions exist, its script is one; it fits a screen.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap help
accepted
for subject in probes functions language; do
	printed "^ktap help $subject "
done
for subject in probes functions language; do
	ktap help $subject
	accepted
	mv out "$subject"
	test "$(wc -l <$subject)" -le 40 || fail "help $subject is longer than a screen"
	test -z "$(awk 'length > 110' $subject)" || fail "help $subject has long lines"
done

sed -n '/^  [a-z]/s/^  \(.*\)/\1/p' probes | sed 's/   *.*//; s/ \.\.\.$//; s/,$//' >points
test "$(wc -l <points)" -ge 15 || fail "there are few points: $(cat points)"
while read -r point; do
	ktap -p1 -e "probe $point { }"
	accepted
done <points
"$KTAP" --dump-probe-aliases >aliases
"$KTAP" --dump-probe-types >forms
for alias in scheduler.cpu_off ioblock.request tcp.sendmsg kprocess.exec_complete signal.send; do
	grep -qF "$alias" probes || fail "help probes does not name $alias"
	grep -q "^$alias " aliases || fail "there is no alias $alias"
done

"$KTAP" --dump-functions | sed 's/:.*//' | sort -u >known
sed 's/@[a-z_0-9]*(//g' functions | grep -o '\b[a-z_][a-z_0-9]*(' | tr -d '(' | sort -u |
	grep -v -x -e print -e println -e printf -e sprintf >named
test "$(wc -l <named)" -ge 40 || fail "there are few functions"
comm -23 named known >missing
test ! -s missing || fail "no such functions: $(cat missing)"

sed -n '/^  /s/^  //p' language >script.stp
ktap -p1 script.stp
accepted

ktap help probe
refused usage
said "did you mean 'probes'"
ktap help hist
refused usage
said 'ktap examples hist'
ktap --help
for word in doctor examples 'help probes' '-l ' '-e ' '--vm' '-c ' 'explain'; do
	sed -n '/^To begin with/,/^$/p' out | grep -q -e "^  ktap $word" || fail "--help does not begin with '$word'"
done

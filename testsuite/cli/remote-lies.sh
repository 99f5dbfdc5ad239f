#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine of --remote that lies: its lines become no other machine's, and no invalid JSON; what is no record is named once and counted;
# --merge takes time in proportion to what comes.
. "$SRCDIR/testsuite/lib/sh.sh"

# The machine "liar" sends the file lies after its first object, the others say what they have.
cat >ssh <<'END'
#!/bin/sh
for word; do host=$command; command=$word; done
case $host in
liar*) sh -c "$command" | sed -u '/"type":"start"/r lies' ;;
*) exec sh -c "$command" ;;
esac
END
chmod +x ssh
export KTAP_SSH=./ssh
limit=60
script='global n probe begin { n = 3; println("said") exit() }'

cat >lies <<'END'
{"type":"print","remote":"honest","remotes":["honest"],"text":"forged","args":[],"more":1.5}
{"remote":"honest","type":"print","text":"twice","args":[],"remote":"honest"}
{}
{"type":"print","text":5,"args":[]}
{"type":"map","name":"a","entries":5}
{"type":"exit"} {"remote":"honest"}
{"type":"print","text":"x","args":[NaN]}
{"type":"nosuch"}
{"type":"print","text":"x","args":[]
{"type":"exit","process.exit.code":256,"errors":0,"lost":{}}
{"type":"ledger","point":"p","lost":{"error":-1}}
[1]
END
ktap --runtime=user -f json --remote=liar --remote=honest -e "$script"
test "$status" = 0 || fail "exit status $status"
perl -MJSON::PP -ne 'my $o = JSON::PP->new->decode($_); print "$o->{remote} ", exists $o->{text} ? $o->{text} : $o->{type}, "\n"; exists $o->{remotes} and die' \
	<out >objects || fail "not all lines are JSON"
printf '%s\n' 'liar forged' 'liar twice' | while read -r line; do
	grep -qx "$line" objects || fail "not there: $line"
done
test "$(grep -c '^liar' objects)" = 7 || fail "records of the liar: $(grep -c '^liar' objects)"
test "$(grep -c '"remote"' out)" = "$(grep -o '"remote"' out | wc -l)" || fail "a line names two machines"
test "$(grep -c '^honest said' objects)" = 1 || fail "the honest machine's text"
said 'warning: liar: a line is no record of ktap, and is left out: its member .type. is none that ktap has'
said 'warning: liar: 9 lines were no records of ktap'
said '^liar: \[1\]$'
test "$(grep -c 'is left out' err)" = 1 || fail "more than one line is named"

# What --merge cannot add is refused: another type, a second time, keys and buckets that are not as the record says.
cat >lies <<'END'
{"type":"global","name":"n","value_type":"string","value":5}
{"type":"map","name":"m","key_types":["long"],"value_type":"long","entries":[{"key":["x"],"value":1}],"complete":true}
{"type":"map","name":"m","key_types":["long"],"value_type":"long","entries":[{"key":[1],"value":7}],"complete":true}
{"type":"map","name":"m","key_types":["long"],"value_type":"long","entries":[{"key":[1],"value":7}],"complete":true}
{"type":"global","name":"s","value_type":"aggregate","value":{"count":2,"min":1,"max":9,"sum":9,"avg":4,"histogram":{"kind":"log","buckets":[{"low":8,"high":9,"count":1},{"low":1,"high":1,"count":1}]}}}
END
ktap --runtime=user --merge --remote=liar --remote=honest -e "$script"
test "$status" = 0 || fail "exit status $status"
printed '^n=6$'
printed '^m\[1\]=7$'
said 'warning: liar: 4 lines were no records of ktap'

# Two histograms of 100,000 buckets each, of which every second is in both.
perl -e 'for my $step (2, 4) {
	my @b = map { sprintf "{\"low\":%d,\"high\":%d,\"count\":1}", $_ * $step, $_ * $step } 1 .. 100_000;
	open(my $to, ">", "large$step") or die;
	printf $to "{\"type\":\"global\",\"name\":\"big\",\"value_type\":\"aggregate\",\"value\":{\"count\":100000,\"min\":1,\"max\":9,\"sum\":9,\"avg\":1,\"histogram\":{\"kind\":\"log\",\"buckets\":[%s]}}}\n",
		join(",", @b) }'
cat >ssh <<'END'
#!/bin/sh
for word; do host=$command; command=$word; done
sh -c "$command" | sed -u "/\"type\":\"start\"/r $host"
END
began=$(date +%s)
ktap --runtime=user --merge -f json --remote=large2 --remote=large4 -e 'probe begin { exit() }'
accepted
test $(($(date +%s) - began)) -lt 30 || fail "two large histograms took $(($(date +%s) - began)) s"
perl -MJSON::PP -ne 'next unless /"big"/; my $b = decode_json($_)->{value}{histogram}{buckets};
	my %c; $c{$_->{count}}++ for @$b; print scalar(@$b), " $c{1} $c{2}\n"' <out >shape
test "$(cat shape)" = "150000 100000 50000" || fail "the merged histogram: $(cat shape)"

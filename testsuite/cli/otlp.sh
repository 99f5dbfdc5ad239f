#!/bin/sh
# --otlp: metrics and logs as a collector gets them, again after it was busy; a collector that is not there; what it refuses.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >script.stp <<'END'
global n, jobs_total, hits, sizes, name
probe begin {
	n = 9007199254740993
	jobs_total = 7
	hits["one", 2] = 3
	sizes <<< 3; sizes <<< 5
	name = "x"
	println("printed")
	warn("careful")
}
probe timer.s(1) { println(1 / (n - n)) }
probe timer.s(2) { if (hits["one", 2] == 3) exit() }
END
perl "$SRCDIR/testsuite/lib/collect" requests "$KTAP" --runtime=user -DMAXERRORS=100 --otlp=URL/prefix --snapshots=0.2 script.stp >out 2>err </dev/null || fail "status $?"
test "$(cat out)" = "printed" || fail "the script's own output is gone"
cp requests out
printed '^/prefix/v1/metrics {"resourceMetrics":\[{"resource":{"attributes":\[{"key":"service.name","value":{"stringValue":"ktap"}}'
printed '{"key":"host.name","value":{"stringValue":"[^"]*"}}'
printed '"scopeMetrics":\[{"scope":{"name":"ktap"},"metrics":\['
printed '{"name":"ktap.n","gauge":{"dataPoints":\[{"startTimeUnixNano":"[0-9]\{19\}","timeUnixNano":"[0-9]\{19\}","attributes":\[\],"asInt":"9007199254740993"}\]}}'
printed '{"name":"ktap.jobs_total","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":\[{[^}]*"asInt":"7"}\]}}'
printed '"attributes":\[{"key":"key1","value":{"stringValue":"one"}},{"key":"key2","value":{"intValue":"2"}}\],"asInt":"3"}'
printed '{"name":"ktap.sizes","histogram":{"aggregationTemporality":2,"dataPoints":\[{[^}]*"count":"2","sum":8.0,"min":3.0,"max":5.0,"bucketCounts":\["1","1","0"\],"explicitBounds":\[3.0,7.0\]}\]}}'
printed '{"key":"value","value":{"stringValue":"x"}}\],"asInt":"1"}'
printed '{"name":"ktap.probe.hits","sum":{.*{"key":"ktap.probe","value":{"stringValue":"begin"}},{"key":"ktap.probe.number","value":{"stringValue":"1"}}\],"asInt":"1"}'
printed '^/prefix/v1/logs {"resourceLogs":\[{"resource":.*"scopeLogs":\[{"scope":{"name":"ktap"},"logRecords":\['
printed '"severityNumber":9,"severityText":"INFO","body":{"stringValue":"printed\\n"}'
printed '"severityNumber":13,"severityText":"WARN","body":{"stringValue":"careful"}'
printed '"severityNumber":17,"severityText":"ERROR","body":{"stringValue":"division by 0'
# Nobody listens at this port: the listener of it is gone.
ktap --runtime=user --otlp=http://127.0.0.1:1 --snapshots=0.1 -e 'probe begin { println("x") exit() }'
accepted
said 'warning: --otlp: http://127.0.0.1:1 does not answer'
said 'requests were lost'
# The session's thread gets signals, not the one that posts.
terminated 1 up --runtime=user --otlp=http://127.0.0.1:1 \
	-e 'probe begin { println("up") } probe timer.s(1000) { } probe end { println("over") }'
accepted
printed '^over$'
# posts_to FILE SCRIPT: a session posts to the collector whose port FILE gets; it was accepted, and took $took seconds.
posts_to()
{
	until test -s "$1"; do sleep 0.1; done
	began=$(date +%s)
	ktap --runtime=user --otlp="http://127.0.0.1:$(cat "$1")" -e "$2"
	accepted
	took=$(($(date +%s) - began))
}

# A collector that answers a byte every two seconds: a request takes five seconds and no more, and the session ends.
cat >trickle.pl <<'END_PERL'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64) or die;
open(my $to, '>', 'port') or die;
print $to $listener->sockport;
close $to;
$SIG{CHLD} = 'IGNORE';
while (my $from = $listener->accept) {
	next if fork;
	for (split //, 'HTTP/1.1 200 OK' . ' ' x 100) { sleep 2; syswrite($from, $_) or exit }
}
END_PERL
perl trickle.pl & server=$!
trap 'kill $server' EXIT
posts_to port 'probe begin { exit() }'
said 'requests were lost'
test "$took" -lt 60 || fail "the session waited for a slow collector"
# One that takes the request and never answers: the session ends when the manual says so, after 10 seconds.
perl -MIO::Socket::INET -e 'my $l = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 64); open(my $to, ">", "silent"); print $to $l->sockport;
	close $to; push @held, $l->accept while 1' & silent=$!
trap 'kill $server $silent' EXIT
posts_to silent 'probe begin { println("ran") } probe timer.s(3) { exit() }'
printed '^ran$'
said 'does not answer'
said '[1-9][0-9]* requests were lost'
test "$took" -lt 16 || fail "the session of 3 seconds waited $took for a silent collector"
for url in https://127.0.0.1:4318 127.0.0.1:4318 http:// http://:1 'http://a b' http://a:x; do
	ktap --runtime=user --otlp="$url" script.stp
	refused usage
done

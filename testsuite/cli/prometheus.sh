#!/bin/sh
# --prometheus: the metrics of every kind of global and of probes, as a scrape reads them; requests that are none; what it refuses.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v perl >/dev/null || exit 77

cat >script.stp <<'END'
global n, jobs_total, name, hits, sizes, waits, held, text, odd
probe begin {
	n = -9223372036854775807
	jobs_total = 7
	name = "a \"b\"\n\\"
	hits["one", 2] = 3
	hits["t\"w\no", -2] = 4
	sizes <<< 3; sizes <<< 5; sizes <<< 1000
	waits["x"] <<< 2
	held["x"] = "y"
	text = "x"
	odd["\xff"] = 1; odd["\xfe"] = 2; odd["\xef\xbf\xbd"] = 3; odd["\xef\xbf\xbdff"] = 4
	printf("of the script\n")
}
probe timer.ms(50) { if (n > 0) println(hits["one", 2]) }
probe begin { text = "x" }
END
"$KTAP" --runtime=user --prometheus=127.0.0.1:0 --snapshots=0.1 script.stp >out 2>err </dev/null &
session=$!
trap 'kill $session 2>/dev/null' EXIT
perl "$SRCDIR/testsuite/lib/scrape" err >scraped || { cat scraped; fail "the client says so"; }
kill -TERM $session
wait $session || fail "exit status $?"
trap : EXIT
cp out printed
cp scraped out
for line in 'ktap_n -9223372036854775807' 'ktap_jobs_total 7' 'ktap_name_info{value="a \\"b\\"\\n\\\\"} 1' \
	'ktap_hits{key1="one",key2="2"} 3' 'ktap_hits{key1="t\\"w\\no",key2="-2"} 4' \
	'ktap_sizes_bucket{le="3"} 1' 'ktap_sizes_bucket{le="7"} 2' 'ktap_sizes_bucket{le="1023"} 3' 'ktap_sizes_bucket{le="+Inf"} 3' \
	ktap_sizes_sum\ 1008 ktap_sizes_count\ 3 ktap_sizes_min\ 3 ktap_sizes_max\ 1000 \
	'ktap_waits_sum{key1="x"} 2' 'ktap_waits_count{key1="x"} 1' 'ktap_held_info{key1="x",value="y"} 1' \
	'ktap_probe_hits_total{probe="begin",number="1"} 1' 'ktap_probe_handled_total{probe="begin",number="1"} 1' ktap_errors_total\ 0 \
	'ktap_probe_hits_total{probe="begin",number="3"} 1' \
	'ktap_odd{key1="�ff"} 1' 'ktap_odd{key1="�fe"} 2' 'ktap_odd{key1="�ef�bf�bd"} 3' \
	'ktap_odd{key1="�ef�bf�bdff"} 4'; do
	grep -qFx -e "$(printf %s "$line" | sed 's/\\\\/\\/g')" scraped || fail "not in the metrics: $line"
done
printed '^# HELP ktap_n Global n of script.stp$'
printed '^# TYPE ktap_n gauge$'
printed '^# TYPE ktap_jobs_total counter$'
printed '^# TYPE ktap_sizes histogram$'
printed '^# TYPE ktap_waits summary$'
printed '^ktap_session_info{script="script.stp",sha256="[0-9a-f]\{64\}",kernel=".*",version=".*"} 1$'
test "$(cat printed)" = "of the script" || fail "the script's own output is gone"

for address in 127.0.0.1 127.0.0.1: ::1:9 127.0.0.1:x; do
	ktap --runtime=user --prometheus=$address script.stp
	refused usage
done
ktap --runtime=user --prometheus=127.0.0.1:9 --folded script.stp
refused usage
ktap --runtime=user '--prometheus=[fe80::1%nosuch]:9' script.stp
refused run
said "--prometheus: '\[fe80::1%nosuch\]:9' is no address"
# An address of documentation, which no machine has.
ktap --runtime=user --prometheus=192.0.2.1:9435 script.stp
refused run
said '--prometheus: cannot listen at 192.0.2.1:9435'

#!/bin/sh
# ktap report: pages of one run and of two. Their structure and data, what their program makes of them, and what is refused.
. "$SRCDIR/testsuite/lib/sh.sh"

# page NAME RUN...: NAME.html is a page of the runs; `out` is what a browser shows, a line for each row of a table.
page()
{
	html=$1
	shift
	python3 "$SRCDIR/testsuite/lib/report-page" "$html" "$@" >program.js || fail "the page $html"
	printf '%s\n' 'print(PAGE_DUMP(by_id.report, []).join("\n"));' >>program.js
	[ ! -f more.js ] || cat more.js >>program.js
	duk program.js >out 2>err || fail "the program of the page"
}

# A real run, in which every text looks like HTML.
cat >'run<b>.stp' <<'END'
global big, names, sizes, stacks
function stack_of_backtrace:string (f:string) { return f }
probe begin {
	big = 9223372036854775807
	names["<script>alert(1)</script>", 7] = 3
	names["a&b\"c", 8] = 5
	for (i = 1; i <= 4; i++) sizes <<< i * i
	stacks[stack_of_backtrace("leaf</script>+0x1/0x9 [kernel]\n main+0x1/0x20 [/bin/a]\n")] = 30
	stacks[stack_of_backtrace("main+0x1/0x20 [/bin/a]\n")] = 10
	println("<img src=x onerror=alert(2)>")
	warn("<i>\n")
	exit()
}
END
ktap --runtime=user -f json --hist -o 'run<b>.json' 'run<b>.stp'
accepted
ktap report 'run<b>.json'
accepted
printed '^run<b>.html$'
cat >more.js <<'END'
var graph = PAGE_FIND(by_id.report, "svg").filter(function (s) { return /^stacks: arrow/.test(s.attributes["aria-label"]); })[0];
print("frames " + PAGE_FIND(graph, "title").map(function (t) { return t.textContent; }).join("; "));
PAGE_SEND(graph, "keydown", { key: "ArrowUp" });
END
page 'run<b>.html' 'run<b>.json'
printed '^script|run<b>\.stp$'
printed '^exit status|0$'
printed '^big|9,223,372,036,854,775,807$'
printed '^<script>alert(1)</script>|7|3$'
printed '^a&b"c|8|5$'
printed '^1|1|$'
printed '^4 – 7|1|$'
printed '^8 – 15|1|$'
printed '^frames all: 40, 100.0 % of all, itself 0; main \[/bin/a\]: 40, 100.0 % of all, itself 10; leaf</script> \[kernel\]: 30, 75.0 % of all, itself 30$'
printed '^leaf</script>|kernel|30|30$'
printed '^begin|the session|.*run<b>\.stp:3|'
printed '^warning|<i>'
printed '^pre: <img src=x onerror=alert(2)>$'
printed 'names\["<script>alert(1)</script>", 7\] = 3'
rm more.js

# Two runs with snapshots: lines over time, a heat map, and what changed.
run()
{
	cat <<-END
	{"type":"start","time_unix_nano":1700000000000000000,"schema":1,"ktap":"1","runtime":"kernel","host.name":"h","host.arch":"amd64","os.type":"linux","kernel.release":"$1","kernel.version":"#1","probes":[{"point":"begin"}]}
	{"type":"map","name":"calls","key_types":["string"],"value_type":"long","entries":[{"key":["read"],"value":$2}],"complete":true}
	{"type":"global","name":"lat","value_type":"aggregate","value":{"count":2,"min":1,"max":5,"sum":6,"avg":3,"histogram":{"kind":"log","buckets":[{"low":1,"high":1,"count":1},{"low":4,"high":7,"count":1}]}}}
	{"type":"snapshot","time_unix_nano":1700000001000000000,"number":1}
	{"type":"map","name":"calls","key_types":["string"],"value_type":"long","entries":[{"key":["read"],"value":$3},{"key":["$4"],"value":1}],"complete":false}
	{"type":"global","name":"lat","value_type":"aggregate","value":{"count":6,"min":1,"max":5,"sum":16,"avg":2,"histogram":{"kind":"log","buckets":[{"low":1,"high":1,"count":4},{"low":4,"high":7,"count":2}]}}}
	{"type":"map","name":"off","key_types":["string"],"value_type":"aggregate","entries":[{"key":[{"stack":[{"text":"a","code.function.name":"a"},{"text":"b","code.function.name":"b"}]}],"value":{"count":1,"min":$3,"max":$3,"sum":$3,"avg":$3}}],"complete":true}
	{"type":"ledger","point":"begin","number":1,"hits":9,"handled":7,"lost":{"lock":2}}
	{"type":"ledger","point":"begin","number":4,"hits":3,"handled":3,"lost":{}}
	{"type":"snapshot","time_unix_nano":1700000003000000000,"number":2}
	{"type":"exit","time_unix_nano":1700000003500000000,"process.exit.code":$5,"errors":0,"lost":{"lock":2}}
	END
}
run 6.1 10 30 open 0 >before.json
run 6.12 10 45 close 1 >after.json
ktap report before.json after.json -o both.html
accepted
cat >more.js <<'END'
function pictures_of(label) {
	return PAGE_FIND(by_id.report, "svg").filter(function (s) { return (s.attributes["aria-label"] || "").indexOf(label + ": arrow") === 0; });
}
function says() {
	PAGE_FIND(by_id.report, "p").forEach(function (p) { if (p.attributes["class"] === "readout" && p.textContent.length > 1) print("says " + p.textContent); });
}
PAGE_SEND(pictures_of("calls")[0], "keydown", { key: "End" });
PAGE_SEND(pictures_of("lat")[1], "keydown", { key: "ArrowRight" });
says();
/* The rate of each second, and the time-weighted width of stacks as an icicle. */
PAGE_FIND(by_id.report, "select").forEach(function (select) {
	var options = PAGE_FIND(select, "option").map(function (o) { return o.textContent; });
	var wanted = Math.max(options.indexOf("change per second"), options.indexOf("sum of the values (time)"), options.indexOf("icicle: callers above"));
	if (wanted > 0) {
		select.value = wanted;
		PAGE_SEND(select, "change", {});
	}
});
PAGE_SEND(pictures_of("calls")[0], "keydown", { key: "End" });
PAGE_SEND(pictures_of("stacks")[0], "keydown", { key: "ArrowDown" });
PAGE_SEND(pictures_of("stacks")[0], "keydown", { key: "ArrowDown" });
says();
print("top " + PAGE_FIND(pictures_of("stacks")[0], "rect").map(function (r) { return r.attributes.y; }).join(" "));
PAGE_FIND(by_id.report, "input").slice(-1).forEach(function (input) { input.value = "A"; PAGE_SEND(input, "input", {}); });
print("found " + PAGE_FIND(by_id.report, "span").filter(function (s) { return s.attributes["class"] === "found"; })[0].textContent);
END
page both.html before.json after.json
printed '^kernel|6\.1 #1|6\.12 #1$'
printed '^duration|3\.500 s|3\.500 s$'
printed '^exit status|0|1$'
printed '^lost|lock 2|lock 2$'
printed '^read|30|45|15$'
printed '^open|1||-1$'
printed '^close||1|1$'
printed '^p: Entries are missing: records of the session were lost\.$'
printed '^begin|||9|7|lock 2|9|7|lock 2$'
printed '^begin #4|||3|3||3|3|$'
printed '^says 3 s: read before 30, open before 1, read after 45, close after 1$'
printed '^says 3 s, 1 – 1: 3$'
printed '^says 3 s: read before 10, open before 0.5, read after 17.5, close after 0.5$'
printed '^says a: 45, 100.0 % of all, itself 45; before 30, 100.0 %$'
printed '^top 0 18 36$'
printed '^found 100.0 % in frames that match$'
rm more.js

# Standard input and output; a last line that is cut off.
{ head -n 2 before.json; sed -n 3p before.json | head -c 50; } >cut.json
"$KTAP" report - <cut.json >cut.html 2>err || fail "a cut run"
said '^<stdin>:3:1: warning: the last line is cut off: the page is made without it \[records\]$'
head -n 2 before.json >'<stdin>'
page cut.html '<stdin>'
printed '^exit status|unknown: the output was cut off$'

# damaged LINE WHAT: line 2 of a run is LINE.
damaged()
{
	{ head -n 1 before.json; echo "$1"; } >damaged.json
	ktap report damaged.json
	refused records
	said "^damaged.json:2:[0-9]*: error: .*$2"
	test ! -e damaged.html || fail "a page was made"
}
damaged '{"type":"map","name":"x"' 'the line ends within it'
damaged '{"type":"print",text}' 'expected an object of JSON'
damaged '[1]' 'another value'
damaged '{"kind":"print"}' 'with a "type"'
damaged '{"type":"print"}' 'has no string "text"'
damaged '{"type":"map","name":"x","key_types":[],"value_type":"long","entries":[{"value":1}]}' 'entry 1 of the map'
damaged '{"type":"start","schema":2,"probes":[]}' 'version 2, this ktap reads version 1'
: >empty.json
ktap report empty.json
refused records
said 'snapshots=1 -o empty.json'
ktap report nosuch.json
refused io
ktap report
refused usage
ktap report before.json after.json before.json
refused usage
ktap report --output before.json
refused usage
# What stands under the name of the page stays what it is: a link, a file of certain permissions, a device.
echo old >private.html
chmod 600 private.html
ln -s private.html link.html
ktap report before.json -o link.html
accepted
test -L link.html || fail 'the link was replaced'
test "$(stat -c %a private.html)" = 600 || fail 'the permissions changed'
grep -q '<html' private.html || fail 'nothing was written'
if test "$(id -u)" = 0 && mknod null c 1 3 2>/dev/null; then
	ktap report before.json -o null
	accepted
	test -c null || fail 'the device was replaced'
fi

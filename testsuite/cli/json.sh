#!/bin/sh
# -f json: the hash is that of sha256sum; what commands print goes to standard error; -t, -c and -x; what it refuses.
. "$SRCDIR/testsuite/lib/sh.sh"
check()
{
	perl "$SRCDIR/testsuite/lib/check-json" "$@" >counted || { cat counted; fail "not as the schema says"; }
}

printf 'global n\nprobe begin { n++ system("echo of-system") exit() }\n' >script.stp
ktap --runtime=user -f json -t script.stp
accepted
check out
printed "\"name\":\"script.stp\",\"sha256\":\"$(sha256sum <script.stp | cut -c1-64)\""
printed '"cycles":{"count":1,"sum":[0-9]*,"min":[0-9]*,"max":[0-9]*,"variance":[0-9]*,"clock":[1-9][0-9]*}'
said '^of-system$'
ktap --runtime=user --format=json -o objects -c 'echo of-command; exit 3' -e 'probe timer.s(100) { }' -E 'probe never { }'
accepted
check objects
test ! -s out || fail "something is on standard output"
said '^of-command$'
cp objects out
printed '"name":"<input>"'
printed "$(printf 'probe timer.s(100) { }probe never { }' | sha256sum | cut -c1-64)"
printed '"process.pid":[0-9]*,"process.command_line":"echo of-command; exit 3","probes":\[{"point":"timer.s(100)","number":[0-9]*,"mechanism":"timer"'
printed '{"type":"warning","message":"Child process exited with status 3"}'
ktap --runtime=user -f json --snapshots=0.1 -t -T 0.5 -e 'global n probe timer.ms(10) { n++ printf("%d", n) }'
accepted
check out
# As text nothing changes.
ktap --runtime=user -f text script.stp
accepted
printed '^n=1$'
printed '^of-system$'
ktap --runtime=user -f xml script.stp
refused usage
said 'possible: --format=json'
ktap --runtime=user --snapshots=1 script.stp
refused usage
said '--snapshots needs -f json'
ktap --runtime=user -f json --snapshots=0.01 script.stp
refused usage
ktap --runtime=user -f json --folded script.stp
refused usage

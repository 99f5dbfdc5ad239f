#!/bin/sh
# --timestamps: the three clocks, in text and in objects; what it refuses. The wall clock is compared with date(1).
. "$SRCDIR/testsuite/lib/sh.sh"
script='global n probe begin { println("x") n++ exit() }'
before=$(date -u +%Y-%m-%dT%H:%M:%S)
ktap --runtime=user --timestamps -e "$script"
accepted
after=$(date -u +%Y-%m-%dT%H:%M:%S)
printed '^20[0-9-]*T[0-9:]*\.[0-9]\{9\}Z x$'
stamp=$(sed -n 's/\..*Z x$//p' out)
printf '%s\n%s\n%s\n' "$before" "$stamp" "$after" | sort -c || fail "$stamp is not between $before and $after"
ktap --runtime=user --timestamps=delta -e "$script"
accepted
printed '^+0\.000000000 x$'
printed '^+[0-9]*\.[0-9]\{9\} n=1$'
for clock in wall:unix mono:mono delta:delta; do
	ktap --runtime=user -f json --timestamps=${clock%:*} -e "$script"
	accepted
	perl "$SRCDIR/testsuite/lib/check-json" out >counted || { cat counted; fail "not as the schema says"; }
	test "$(grep -c "^{\"type\":\"[a-z]*\",\"time_${clock#*:}_nano\":[0-9]" out)" = "$(wc -l <out)" || fail "an object has no time"
done
ktap --runtime=user --timestamps=local -e "$script"
refused usage
said 'possible: --timestamps=mono'

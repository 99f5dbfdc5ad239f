#!/bin/sh
# -f json: random scripts, 10 programs of 10 parts each, run with 10 seeds each: every line is valid by the schema, and what is printed is
# what is printed without -f json. KTAP_JSON_PROGRAMS=100 makes 1,000 runs.
. "$SRCDIR/testsuite/lib/sh.sh"
TMPDIR=$PWD
export TMPDIR
program=1
while [ $program -le "${KTAP_JSON_PROGRAMS:-10}" ]; do
	perl "$SRCDIR/testsuite/lib/random-json" $program 10 >random.stp
	ktap --runtime=user -p4 -w -f json --hist -DMAXERRORS=1000 random.stp
	accepted
	json=$(cat out)
	text=
	# One in five is compared.
	if [ $((program % 5)) = 1 ]; then
		ktap --runtime=user -p4 -w --no-global-var-display -DMAXERRORS=1000 random.stp
		accepted
		text=$(cat out)
	fi
	for seed in 0 1 2 3 5 255 4096 -7 2147483648 9223372036854775807; do
		"$json" -G seed=$seed >"$seed.json" 2>err || fail "program $program, seed $seed: exit status $?"
		[ -z "$text" ] || "$text" -G seed=$seed >"$seed.json.text" 2>err || fail "program $program without -f json"
	done
	perl "$SRCDIR/testsuite/lib/check-json" ./*.json >out || fail "random-json $program 10"
	cat out
	rm -rf ./ktap-user-* ./*.json ./*.text
	program=$((program + 1))
done

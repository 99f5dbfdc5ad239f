#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs print what an independent evaluator says (random.pl), with the optimizer and without it. To look for more:
# RANDOM_SEEDS="1000 1001 ...".
set -u
failed=0

# same NAME OPTION...: the program NAME.stp prints what is in NAME.expected.
same()
{
	name=$1
	shift
	"$KTAP" -w --runtime=user "$@" "$name.stp" >"$name.out" 2>"$name.err" && cmp -s "$name.expected" "$name.out" && return
	echo "seed $name:"
	diff "$name.expected" "$name.out" | head -5
	head -5 "$name.err"
	failed=1
}

for seed in ${RANDOM_SEEDS:-1 2 3 4 5}; do
	perl "$SRCDIR/testsuite/gen/random.pl" "$seed" 40 >"$seed.stp" 3>"$seed.expected" || exit 1
	same "$seed"
	perl "$SRCDIR/testsuite/gen/random.pl" "$seed" 40 whole >"$seed-whole.stp" 3>"$seed-whole.expected" || exit 1
	same "$seed-whole" -u
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler with many lookups by a number: 32 of them are inline, the rest are calls, and all find the same elements.
set -e
{
	echo 'global a, c'
	echo 'probe begin {'
	for i in 1 2 3 4 5 6 7 8 9 10; do echo "a[$i] = a[$i - 1] + $i a[$i]++ c[$i] += a[$i]"; done
	echo 'exit() }'
	echo 'probe end { for (i = 1; i <= 10; i++) println(a[i], " ", c[i]) }'
} >many.stp
"$KTAP" -p3 --runtime=user many.stp >many.c
test "$(grep -o 'ref_i(\|get_i(' many.c | wc -l)" = 34 # the handler of end has two
test "$(grep -o 'ref_far(\|get_far(' many.c | wc -l)" = 18
i=0 a=0
while [ $((i += 1)) -le 10 ]; do
	a=$((a + i + 1))
	echo "$a $a"
done >want
"$KTAP" --runtime=user many.stp >out
diff want out

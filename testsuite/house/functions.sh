#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every public function of SystemTap's library, public-functions.txt, is here with its parameters, or functions-missing.txt
# says why not; no row of it is out of date. And the library as a whole is read without a complaint.
dir=$SRCDIR/testsuite/house
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

"$KTAP" --dump-functions >"$work/dump" 2>"$work/complaints" || status=1
if [ -s "$work/complaints" ]; then
	cat "$work/complaints"
	status=1
fi
# NAME(TYPES): the names of parameters are not compared, nor what is said to be returned.
shape() { sed 's| */\*.*||; s/^\([A-Za-z_0-9]*\):\?[a-z]* *(\(.*\)).*/\1(\2)/; s/[A-Za-z_0-9]*:\(long\|string\)/\1/g; s/, */,/g' "$1" | sort -u; }

shape "$dir/public-functions.txt" >"$work/want"
shape "$work/dump" >"$work/have"
sed '/^#/d; /^$/d; s/  .*//' "$dir/functions-missing.txt" | sort -u >"$work/excused"
comm -23 "$work/want" "$work/have" >"$work/missing"
comm -23 "$work/missing" "$work/excused" >"$work/unexplained"
comm -13 "$work/missing" "$work/excused" >"$work/stale"
if [ -s "$work/unexplained" ]; then
	echo "neither in the library nor in functions-missing.txt:"
	cat "$work/unexplained"
	status=1
fi
if [ -s "$work/stale" ]; then
	echo "in functions-missing.txt, but the library has it, or no such function is public:"
	cat "$work/stale"
	status=1
fi
echo "$(wc -l <"$work/want") public functions, $(wc -l <"$work/missing") of them missing"
exit $status

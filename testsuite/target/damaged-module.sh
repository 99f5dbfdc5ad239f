#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Modules that are cut off, damaged, or whose DWARF is elsewhere: one error and no crash.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

set -- $(debug_kernels)
R=$1
loop=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko
test -e "$loop" || { echo "no module with debugging information is installed"; exit 77; }

# Whatever is left of it: an error, or nothing found.
survives()
{
	ktap -r "$R" -L "module(\"$PWD/bad.ko\").function(\"loop_*\").call"
	ktap -r "$R" -p2 -e "probe module(\"$PWD/bad.ko\").statement(\"loop_add@*:*\")? { println(\$\$vars) } probe never { }"
}

size=$(stat -c %s "$loop")
for part in 1 3 10 30 60 90 99; do
	head -c $((size * part / 100)) "$loop" >bad.ko
	survives
done
# The section headers are at the end: the tables, then single bytes everywhere.
for seed in 1 2 3 4 5 6 7 8; do
	perl -e 'my ($seed, $in, $out) = @ARGV; srand($seed); local $/; open(my $i, "<:raw", $in) or die; my $b = <$i>;
		my $from = $seed % 2 ? length($b) - 4300 : 0;
		substr($b, $from + 64 + int(rand(length($b) - $from - 64)), 1) = chr(int(rand(256))) for 1 .. 60;
		open(my $o, ">:raw", $out) or die; print $o $b' "$seed" "$loop" bad.ko
	survives
done

# Split DWARF.
command -v gcc >/dev/null || exit 0
echo 'int split_one(int x) { return x + 1; }' >split.c
gcc -g -gsplit-dwarf -O1 -c -o split.ko split.c
ktap -r "$R" -p2 -e "probe module(\"$PWD/split.ko\").function(\"split_one\") { }"
accepted
rm split.dwo
ktap -r "$R" -p2 -e "probe module(\"$PWD/split.ko\").function(\"split_one\") { }"
refused no-debuginfo
said '1 of 1 .dwo files of .*split.ko'
gcc -g -O1 -c -o whole.ko split.c
ktap -r "$R" -L "module(\"$PWD/whole.ko\").function(\"split_one\")"
printed 'split_one@.*split.c:1") $x:int$'

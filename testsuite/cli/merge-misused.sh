#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktap merge` does not write to a file that it reads, by whatever name, and refuses the options of a session.
. "$SRCDIR/testsuite/lib/sh.sh"
abi=$(awk '$2 == "KT_ABI" && $1 == "#define" { print $3 }' "$SRCDIR/runtime/abi.h")
# A head, the format "hello", a block with one record of it, and the last block.
perl -e '
	my $format = "hello\n\0";
	print pack("Z8 L L Q Q L L L L", "ktapcpu", $ARGV[0], 0, 1, 2, 1, length $format, 4096, 0), $format;
	print pack("L L Q Q Q", 16, 0, 5, 0, 0), pack("L C C S Q", 16, 1, 0, 0, 5);
	print pack("L L Q Q Q", 0, 0xffffffff, 1, 0, 0);' "$abi" >cpu.0
cp cpu.0 before
ktap merge cpu.0
accepted
printed '^hello$'
ln -s cpu.0 linked
ln cpu.0 second
for name in cpu.0 linked second; do
	ktap merge -o $name cpu.0
	refused io
	said "'$name' is both input and output"
	cmp cpu.0 before || fail "-o $name changed the input"
done
ktap merge -o merged cpu.0
accepted
test "$(cat merged)" = hello || fail "merge -o wrote $(cat merged)"
for option in '-f json' '-S 1' '-T 1' '--timestamps' '-D' '-c true'; do
	# shellcheck disable=SC2086
	ktap merge $option cpu.0
	refused usage
	said 'only -o goes with it'
done
# Sizes that ktaprun does not write are damage, however long a sparse file is: nothing of that size is allocated.
# Arguments of made: n_formats, formats_size, size of the block.
made()
{
	perl -e '
		my ($abi, $n, $size, $block) = @ARGV;
		print pack("Z8 L L Q Q L L L L", "ktapcpu", $abi, 0, 1, 2, $n, $size, 4096, 0), "hello\n\0", pack("L L Q Q Q", $block, 0, 5, 0, 0);
		' "$abi" "$@"
}
for sizes in '1 4294967295 16' '4294967295 4294967295 16' '1 7 4294967280'; do
	# shellcheck disable=SC2086
	made $sizes >sparse.0
	truncate -s 5G sparse.0
	(ulimit -v 1000000; "$KTAP" merge sparse.0) >out 2>err && fail "sizes $sizes were taken"
	said "'sparse.0' is damaged at byte"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktap merge` prints what is whole in files of --bulk, in the order of time and with names, and says what is missing: other files, other
# sessions and versions, cut and damaged files, lost and malformed records.
. "$SRCDIR/testsuite/lib/sh.sh"
abi=$(awk '$2 == "KT_ABI" && $1 == "#define" { print $3 }' "$SRCDIR/runtime/abi.h")

# cpu FILE CPU BLOCK...: writes a file of CPU, whose formats are "%s\n" and "hello\n". ABI and SESSION replace what stands in its head.
# Blocks: print:TIME:TEXT, symbol:TIME:ADDRESS, hello:TIME, bad:TIME, name:ADDRESS:TEXT, lost:N, end:FILES, raw:HEX.
cpu()
{
	file=$1
	shift
	perl -e '
		my ($abi, $session, $cpu, @blocks) = @ARGV;
		my $formats = "%s\n\0hello\n\0";
		sub block { my ($kind, $at, $bytes, @lost) = @_; print pack("L L Q Q Q", length $bytes, $kind, $at, @lost ? @lost : (0, 0)), $bytes }
		sub text { my ($head, $text) = @_; my $all = pack("L", $head) . $text; $all . "\0" x (-length($all) % 8) }
		sub record { my ($time, $number, $bytes) = @_; block($cpu, $time, pack("L C C S Q", 16 + length $bytes, 1, 0, $number, $time) . $bytes) }
		print pack("Z8 L L Q Q L L L L", "ktapcpu", $abi, $cpu, $session, 2, 2, length $formats, 4096, 0), $formats;
		for (@blocks) {
			my ($kind, $n, $text) = split /:/;
			if ($kind eq "print") { record($n, 0, text(length $text, $text)) }
			elsif ($kind eq "symbol") { record($n, 0, text(1 << 30 | 8, pack("Q", $text))) }
			elsif ($kind eq "hello") { record($n, 1, "") }
			elsif ($kind eq "bad") { record($n, 0, text(100, "cut")) }
			elsif ($kind eq "name") { block(0xfffffffe, 0, pack("Q L L", $n, 1, length $text) . $text) }
			elsif ($kind eq "lost") { block($cpu, 90, "", $n, 24 * $n) }
			elsif ($kind eq "end") { block(0xffffffff, $n, "") }
			elsif ($kind eq "raw") { print pack("H*", $n) }
		}' "${ABI:-$abi}" "${SESSION:-1}" "$@" >"$file"
}

# damaged MESSAGE FILE...: the merge fails and says so.
damaged()
{
	message=$1
	shift
	ktap merge "$@"
	refused run
	said "$message"
}

cpu a 0 print:10:first name:4096:vfs_read symbol:30:4096 end:2
cpu b 3 print:20:second hello:40 end:2
ktap merge a b
accepted
test "$(tr '\n' ' ' <out)" = 'first second vfs_read hello ' || fail "merged: $(cat out)"
test ! -s err || fail "something is said of whole files"
ktap merge b
accepted
said 'The session wrote 2 files: the output of 1 CPUs is missing'
cpu lossy 1 print:10:x bad:20 lost:7 end:1
ktap merge lossy
accepted
said 'There were 7 lost messages, 168 lost bytes. Try ktap -s to increase the buffer size from 4 KB'
said 'malformed records, not printed: 1'
printed '^x$'

damaged "'a' and 'a' are of the same CPU" a a
SESSION=9 cpu other 1 end:1
damaged "'a' and 'other' are of different sessions" a other
ABI=1 cpu old 1 end:1
damaged "'old' was written by another version of ktap: its interface is 1, expected $abi" old
echo text >text
damaged "'text' is not a file of ktap -b" text
perl -e 'print "x" x 500' >long
damaged "'long' is not a file of ktap -b" long
ktap merge nosuch
refused io
said "cannot read 'nosuch': No such file"
mkfifo fifo
ktap merge fifo
refused io
said "cannot read 'fifo': it is not a regular file"

cpu open 0 print:10:whole
damaged "'open' ends without its last block, as when ktaprun was killed, at byte" open
printed '^whole$'
size=$(wc -c <open)
for n in 1 20 45 60; do
	head -c $((size - n)) open >cut
	damaged "'cut' is cut short at byte" cut
done
# A block of another CPU; the last block before the end; a name longer than its block, of an unknown kind, and a cut one.
damaged_block()
{
	cpu wrong 0 print:10:whole "raw:$1" end:1
	damaged "'wrong' is damaged at byte" wrong
	printed '^whole$'
}
number() { perl -e 'print unpack("H*", pack($ARGV[0], @ARGV[1 .. $#ARGV]))' "$@"; }
damaged_block "$(number 'L L Q Q Q' 0 1 20 0 0)"
damaged_block "$(number 'L L Q Q Q' 0 4294967295 1 0 0)"
damaged_block "$(number 'L L Q Q Q Q L L' 16 4294967294 0 0 0 4096 1 1)"
damaged_block "$(number 'L L Q Q Q Q L L' 16 4294967294 0 0 0 4096 9 0)"
damaged_block "$(number 'L L Q Q Q Q' 8 4294967294 0 0 0 4096)"
damaged_block "$(number 'L L Q Q Q Q' 8 0 20 0 0 4096)"

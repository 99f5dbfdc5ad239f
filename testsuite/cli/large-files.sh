#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 1 GB that is no program is refused without being read into memory, and so are programs with huge holes. At the limit of ulimit -f nothing stays behind.
. "$SRCDIR/testsuite/lib/sh.sh"
mkdir tmp
(ulimit -f 2; TMPDIR=$PWD/tmp ktap --runtime=user -e 'probe begin { println("x") exit() }'; echo "$status" >status)
test "$(cat status)" = 1 || fail "exit status $(cat status)"
said 'File too large'
test -z "$(ls tmp)" || fail "something is left: $(ls tmp)"
# Programs with holes: a table of 400 million symbols, and 1 TB that another user can write, which is copied. Readers walk through holes.
echo 'int main(void) { return 0; }' >program.c
cc -o program program.c || fail "cannot compile"
perl - program symbols <<'END'
my ($from, $to) = @ARGV;
open(my $in, '<:raw', $from) or die; local $/; my $file = <$in>;
my ($table, $size, $n) = (unpack('Q<', substr $file, 40), unpack('v', substr $file, 58), unpack('v', substr $file, 60));
for my $i (0 .. $n - 1) {
	my $at = $table + $i * $size;
	substr($file, $at + 32, 8) = pack('Q<', 24 * 400e6) if unpack('V', substr $file, $at + 4) == 2;
}
open(my $out, '>:raw', $to) or die; print $out $file; truncate($out, 10 << 30) or die; close($out) or die;
END
cp program hole
truncate -s 1T hole
chmod 666 hole
for file in symbols hole; do
	limit=60 ktap -l "process(\"./$file\").function(\"main\")"
	refused no-program
	said "cannot read '.*$file': File too large"
done
truncate -s 1G large
ulimit -v 1800000
ktap -l 'process("./large").function("x")'
refused no-program
said "large' is not an ELF file"

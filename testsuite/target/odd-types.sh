#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information that no compiler writes: a number of three bytes is refused, or shown as ?, but bits of it are read; a
# member whose name holds a % is a text in the format that shows it.
. "$SRCDIR/testsuite/lib/target.sh"

set -- $(debug_kernels)
R=$1
command -v gcc >/dev/null || { echo "no gcc"; exit 77; }

cat >odd.c <<'C'
struct s { short odd; short bits : 5; int percent; char letter; } s;
__attribute__((noinline)) int take(struct s *p, short v) { return p->odd + p->bits + v; }
int main(void) { return take(&s, 1); }
C
gcc -g -O1 -dA -S -o odd.s odd.c
perl -pi -e 's/\.byte\s+0x2(?=\s.*DW_AT_byte_size)/.byte 0x3/; s/"percent/"per%sent/' odd.s
gcc -o odd odd.s

at()
{
	ktap -r "$R" -p"$1" -v -e "probe process(\"$PWD/odd\").function(\"take\") { println($2) }"
}

at 2 '$p->odd'
refused target-type
said "a 'short int' of 3 bytes cannot be read as a number"
at 3 '$p->bits'
accepted
at 2 '$$parms'
accepted
printed '"p=%#x v=?"'
at 3 '$p$'
accepted
grep -q "{\.odd=?, \.bits=?, \.per%%sent=%i, \.letter='%#c'}" out || fail "the format is another one: $(grep -o '".*sent[^"]*"' out)"

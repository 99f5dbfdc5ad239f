#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that ends in a call without return may leave a row without code in the line table, where NAME.cold of another function
# begins: it is no line of that function.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >prog.c <<'END2'
int x;
__attribute__((cold, noipa)) void bad(int n) { x += n; }
__attribute__((noipa)) int low(int n)
{
	if (n > 5) {
		bad(n);
		bad(x);
	}
	return n + 1;
}
__attribute__((noipa)) int high(int n)
{
	return n - 1;
}
int main(int argc, char **argv) { return low(argc) + high(argc); }
END2
gcc -g -O2 -S -o prog.s prog.c || fail "cannot compile"
grep -q '^low\.cold:' prog.s || { echo "this compiler does not move the cold part"; exit 77; }
sed 's/^low\.cold:/\t.loc 1 13 2 is_stmt 1\n&/' prog.s >row.s
gcc -o prog row.s || fail "cannot assemble"
ktap -l 'process("./prog").statement("low@*:*")'
accepted
sed 's/.*:\([0-9]*\)")$/\1/' out | sort -n | tr '\n' ' ' >lines
test "$(cat lines)" = "4 5 6 7 9 10 " || fail "lines of low(): $(cat lines)"

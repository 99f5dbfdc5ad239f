#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Parameters of programs built without -O, and of those whose address is taken: in the frame, which is not there yet at the first
# instruction. By gcc and clang, in C and C++; values that cannot be told there are not available instead of wrong.
. "$SRCDIR/testsuite/lib/process.sh"
cat >source.c <<'END'
#include <stdio.h>
struct small { int a, b; };
struct two { long a, b; };
struct big { long v[5]; };
struct mixed { double d; int i; };
int f(int a, short b, const char *s, char c, unsigned long u) { int local = a + 7; return local + b + *s + c + (int)u; }
long many(long a, long b, long c, long d, long e, long g, long h, int i) { return a + b + c + d + e + g + h + i; }
int records(struct small s, struct two t, struct big g, int after) { return s.a + (int)t.b + (int)g.v[1] + after; }
struct big make(int seed, int other) { struct big g = { { seed, other } }; return g; }
int floats(double d, int i, float x, int j) { return (int)d + i + (int)x + j; }
int mixes(struct mixed m, int after) { return m.i + after; }
__attribute__((noinline)) int taken(int x, int *y) { scanf("", &x); return x + *y; }
int main(void)
{
	struct small s = { 3, 4 };
	struct two t = { 5, 6 };
	struct big g = { { 7, 8, 9 } };
	struct mixed m = { 1.5, 2 };
	int y = 77;
	f(-3, -4, "five", 'c', 1ul << 40);
	many(1, 2, 3, 4, 5, 6, 7, 8);
	records(s, t, g, 10);
	make(11, 12);
	floats(1.0, 13, 2.0f, 14);
	mixes(m, 15);
	taken(16, &y);
	return 0;
}
END
cat >class.cc <<'END'
struct Box { int n; Box(int i) : n(i) {} Box(const Box &b) : n(b.n + 100) {} ~Box() {} int add(int more) { return n + more; } };
int take(Box b, int after) { return b.n + after; }
Box give(int seed) { return Box(seed); }
int main() { Box b(5); return (b.add(6) + take(b, 7) + give(8).n) & 1; }
END
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	command=$compiler
	test $compiler = clang || command=${CC:-gcc}
	test $compiler = gcc || test "$machine" = "$(uname -m)" || continue
	$command -g -O0 -w -o "plain_$compiler" source.c || fail "$compiler"
	$command -g -O2 -w -o "optimised_$compiler" source.c || fail "$compiler"
done
${CXX:-g++} -g -O0 -o class class.cc || fail "c++"
cat >script.stp <<'END'
probe process(@1).function("f") { println($a, " ", $b, " ", user_string($s), " ", $c, " ", $u, " ", @defined($local)) }
probe process(@1).function("many") { println($$parms) }
probe process(@1).function("records") { println($s->a, $s->b, " ", $t->a, $t->b, " ", $g->v[0], $g->v[1], " ", $after) }
probe process(@1).function("make") { println($seed, " ", $other) }
probe process(@1).function("floats") { println($i, " ", $j, " ", @defined($d)) }
probe process(@1).function("mixes") { println(@defined($after), @defined($m->i)) }
probe process(@1).function("taken") { println($x, " ", user_int($y)) }
probe process(@1).function("f").return { println($a, " ", $return, " ", @entry($b), " ", @entry(user_string($s))) }
END
for release in $(kernels); do
	for program in plain_gcc plain_clang optimised_gcc optimised_clang; do
		test -x $program || continue
		script=script.stp
		case $program in optimised*)
			script=taken.stp
			grep taken script.stp >taken.stp
		esac
		session $program -c ./$program $script ./$program
	done
	session class -c ./class -e 'probe process("./class").function("Box::add") { println($this->n, " ", $more) }
		probe process("./class").function("take") { println($b->n, " ", $after) }
		probe process("./class").function("give") { println($seed) }'
	boot
	for program in plain_gcc plain_clang; do
		test -x $program || continue
		result $program
		expect <<'END'
-3 -4 five 99 1099511627776 0
-3 201 -4 five
a=0x1 b=0x2 c=0x3 d=0x4 e=0x5 g=0x6 h=0x7 i=0x8
34 56 78 10
11 12
13 14 0
00
16 77
END
	done
	for program in optimised_gcc optimised_clang; do
		test -x $program || continue
		result $program
		echo 16 77 | expect
	done
	result class
	expect <<'END'
5 6
105 7
8
END
done

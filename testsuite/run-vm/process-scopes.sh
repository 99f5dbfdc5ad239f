#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names mean at a place what they mean to the compiler there: members that hide those of base classes, variables of inner
# blocks, of namespaces and of unnamed unions, enumerators of classes and functions. Each lambda is a function of its own, also two of
# them in a line.
. "$SRCDIR/testsuite/lib/process.sh"

cat >scopes.cc <<'END'
#include <stdio.h>
struct A { int foo; int only; static int shared; enum color { RED = 1 } color; };
int A::shared = 77;
struct B : A { int foo; union { int low; char byte; }; };
struct C : B { static int only; char byte; };
int C::only = 78;
static B b;
static C c;
enum color { RED = 9, BLUE = 10 } color = BLUE;
enum class strong { RED = 99 } strong = strong::RED;
int v = 3;
static union { int first; short second; };
namespace one {
enum color { RED = 5 } color = RED;
int v = 1;
static int w = 11;
__attribute__((noipa)) int f(int a)
{
	printf("T one %d %d %d\n", v, w, RED);
	return a + v + w;
}
}
namespace two {
namespace { int hidden = 222; }
enum color { RED = 7 } color = RED;
int v = 2;
static int w = 22;
struct M { static int w; int method(int a); };
int M::w = 33;
__attribute__((noipa)) int M::method(int a)
{
	printf("T method %d %d %d %d\n", v, w, hidden, RED);
	return a + v + w;
}
__attribute__((noipa)) int f(int a)
{
	printf("T two %d %d %d %d\n", v, w, hidden, RED);
	return a + v + w;
}
}
__attribute__((noipa)) void inner(void) {}
int la_first(int n)
{
	auto f = [n](int x) { printf("T first %d %d\n", x, n); return x + n; };
	return f(1) + f(2);
}
int la_second(int n)
{
	auto f = [n](int x) { printf("T f %d %d\n", x, n); return x - n; }; auto g = [n](int x) { printf("T g %d %d\n", x, n); return n; };
	auto h = [](const char *s, int x) { printf("T h %s %d\n", s, x); return x; };
	return g(7) + f(8) + h("text", 9);
}
__attribute__((noipa)) int g(int s)
{
	enum color { RED = 12 } color = RED;
	union { int whole; char part; };
	whole = 0x4142;
	{
		volatile int s = 2;
		{
			extern int v;
			volatile int s = 3;
			printf("T block %d %d %d %d %d %d\n", s, v, RED, part, first, second);
			inner(); /* BLOCK */
			s++;
		}
		printf("T around %d\n", s);
		inner(); /* AROUND */
		s++;
	}
	printf("T outside %d\n", s);
	inner(); /* OUTSIDE */
	{
		volatile int s = 4;
		s++;
	}
	return color + s;
}
int main()
{
	two::M m;

	setvbuf(stdout, NULL, _IOLBF, 0);
	b.A::foo = 1;
	b.foo = 2;
	b.only = 4;
	b.low = 0x1234;
	c.A::foo = 5;
	c.B::foo = 6;
	c.low = 0x5678;
	c.byte = 8;
	c.color = A::RED;
	first = 0x12345;
	la_first(10), la_second(20);
	printf("T members %d %d %d %d %d %d\n", b.foo, b.only, b.byte, c.foo, c.low, c.byte);
	return one::f(1) + two::f(2) + m.method(3) + g(5) + (int)color + (int)strong + c.color == 0;
}
END
${CXX:-g++} -g -O0 -o scopes scopes.cc || fail "cannot compile"
line() { grep -n "/\* $1 \*/" scopes.cc | cut -d: -f1; }
cat >script.stp <<END
probe process("./scopes").function("la_first::{lambda(int)}::operator()") { printf("K first %d %d\n", \$x, \$__closure->__n) }
probe process("./scopes").function("la_second::{lambda(int):1}::operator()") { printf("K f %d %d\n", \$x, \$__closure->__n) }
probe process("./scopes").function("{lambda(int):2}::operator()@scopes.cc") { printf("K g %d %d\n", \$x, \$__closure->__n) }
probe process("./scopes").function("{lambda(char const*, int)}::operator()") { printf("K h %s %d\n", user_string(\$s), \$x) }
probe process("./scopes").function("one::f") {
	printf("K members %d %d %d %d %d %d\n", \$b->foo, \$b->only, \$b->byte, \$c->foo, \$c->low, \$c->byte)
	printf("K one %d %d %d\n", \$v, \$w, @enum("RED"))
}
probe process("./scopes").function("two::f") { printf("K two %d %d %d %d\n", \$v, \$w, \$hidden, @enum("RED")) }
probe process("./scopes").function("two::M::method") { printf("K method %d %d %d %d\n", \$v, \$w, \$hidden, @enum("RED")) }
probe process("./scopes").statement("g@scopes.cc:$(line BLOCK)") {
	printf("K block %d %d %d %d %d %d\n", \$s, \$v, @enum("RED"), \$part, \$first, \$second)
}
probe process("./scopes").statement("g@scopes.cc:$(line AROUND)") { printf("K around %d\n", \$s) }
probe process("./scopes").statement("g@scopes.cc:$(line OUTSIDE)") {
	printf("K outside %d\n", \$s)
	println("names ", @enum("A::RED"), " ", @enum("one::RED"), " ", @enum("two::color::RED"), " ", @enum("strong::RED"), " ",
		@var("v"), " ", @var("one::v"), " ", @var("two::M::w"), " ", @var("A::shared"), " ", @var("C::only"))
}
END
for release in $(kernels); do
	in_vm -c ./scopes script.stp
	told_truth
	printed '^names 1 5 7 99 3 1 33 77 78$'
	ktap -r "$release" -p2 -e 'probe process("./scopes").function("g") { println($c->only) }'
	refused target-member
done

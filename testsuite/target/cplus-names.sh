#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of C++ by demangled names: scopes from the right, with and without parameters, templates, operators, unnamed namespaces,
# wildcards; with debugging information and without.
. "$SRCDIR/testsuite/lib/sh.sh"
printf 'int main() { return 0; }\n' >try.cc
${CXX:-g++} -o try try.cc 2>/dev/null || { echo "g++ is not installed"; exit 77; }
cat >prog.cc <<'END'
#include <cstdio>
#define KEPT __attribute__((noipa))
namespace ns { namespace in {
struct S {
	int v;
	KEPT int get(int a) const;          /* line 6 */
	KEPT int get(const char *s);        /* 7 */
	KEPT static int st(long l);         /* 8 */
	KEPT int operator+(int o) const;    /* 9 */
	KEPT int operator()(int o) const;   /* 10 */
	KEPT S(int x);                      /* 11 */
	KEPT ~S();                          /* 12 */
	template<typename T> KEPT T conv(T t);
};
int S::get(int a) const { return v + a; }      /* 15 */
int S::get(const char *s) { return v + s[0]; } /* 16 */
int S::st(long l) { return (int)l; }           /* 17 */
int S::operator+(int o) const { return v + o; }  /* 18 */
int S::operator()(int o) const { return v - o; } /* 19 */
S::S(int x) : v(x) {}                          /* 20 */
S::~S() { v = 0; }                             /* 21 */
template<typename T> T S::conv(T t) { return t + v; } /* 22 */
} }
template<typename T> KEPT T biggest(T a, T b) { return a > b ? a : b; } /* 24 */
KEPT int over(int a) { return a; }             /* 25 */
KEPT int over(double a) { return (int)a; }     /* 26 */
namespace { KEPT int hidden(ns::in::S &s) { return s.get(2); } } /* 27 */
int main()
{
	ns::in::S s(3);
	printf("%d %d %d %d %d %d %d %ld\n", s.get(1), s.get("a"), ns::in::S::st(5), s + 4, s(1), biggest(1, 2), (int)biggest(1.5, 2.5), s.conv(7L));
	return over(1) + over(1.0) + hidden(s);
}
END
${CXX:-g++} -g -O2 -o prog prog.cc && ${CXX:-g++} -O2 -o bare prog.cc || fail "cannot compile prog.cc"

# lines NAME LINES: NAME stands for the functions at these lines.
lines()
{
	ktap -l "process(\"./prog\").function(\"$1\")" >out 2>err
	got=$(sed -n 's/.*@prog\.cc:\([0-9]*\)".*/\1/p' out | sort -nu | tr '\n' ' ')
	test "$got" = "$2${2:+ }" || fail "'$1' is at '$got', not at '$2': $(cat out err)"
}
lines 'ns::in::S::get' '15 16'
lines 'S::get' '15 16'
lines 'ns::*::get' '15 16'
lines 'ns::in::S::get(int) const' 15
lines 'ns::in::S::get(int)' 15
lines 'get(int)' 15
lines 'S::get(char const*)' 16
lines 'S::get(const char *)' 16
lines 'in::S::st' 17
lines 'ns::in::S::operator+' 18
lines 'operator+(int)' 18
lines 'S::operator()' 19
lines 'S::operator()(int)' 19
lines 'S::S(int)' 20
lines 'S::~S()' 21
lines 'conv<long>(long)' 22
lines 'S::conv' 22
lines 'biggest' 24
lines 'biggest<double>(double, double)' 24
lines 'int biggest<int>(int, int)' 24
lines 'over' '25 26'
lines 'over(int)' 25
lines 'over(d*)' 26
lines '(anonymous namespace)::hidden' 27
lines 'hidden(ns::in::S&)' 27
lines 'over(long)' ''
lines 'n::S::get' ''
test "$(ktap -l 'process("./prog").function("biggest<int>")'; grep -c . out)" = 1 || fail "biggest<int>: $(cat out)"

# symbols NAME SYMBOLS: the same where only the symbol table tells.
symbols()
{
	ktap -l "process(\"./bare\").function(\"$1\")" >out 2>err
	got=$(sed -n 's/.*function("\([^"]*\)").*/\1/p' out | sort -u | tr '\n' ' ')
	test "$got" = "$2 " || fail "'$1' is '$got', not '$2': $(cat out err)"
}
symbols 'over(double)' _Z4overd
symbols 'S::get' '_ZN2ns2in1S3getEPKc _ZNK2ns2in1S3getEi'
symbols 'main' main

# A list shows the scopes, and what it shows is taken.
ktap -l 'process("./prog").function("*@prog.cc")'
for name in ns::in::S::get@prog.cc:15 'ns::in::S::conv<long int>@prog.cc:22' ns::in::S::~S@prog.cc:21 'ns::in::S::operator()@prog.cc:19' \
	'(anonymous namespace)::hidden@prog.cc:27' 'biggest<int>@prog.cc:24' main@prog.cc:28; do
	grep -qF "function(\"$name\")" out || fail "the list lacks '$name'"
	test "$("$KTAP" -l "process(\"./prog\").function(\"$name\")")" = "$(grep -F "function(\"$name\")" out)" || fail "'$name' is not taken"
done

# Clones are the function; a part of one only where the name asks for it.
cat >clones.s <<'END'
	.text
	.globl main
	.type main, @function
main:	ret
	.size main, . - main
	.macro function name
	.type "\name", @function
"\name":	nop
	ret
	.size "\name", . - "\name"
	.endm
	function _ZN2ns1S3getEi.isra.0
	function _ZN2ns1S3putEi.constprop.1.isra.0
	function _ZN2ns1S3cutEi.part.0
	function _ZN2ns1S3cutEi.part.0.cold
	function _ZN2ns1S3runEi
	function _ZN2ns1S3runEi.cold
	function _ZL5sharei.lto_priv.3
	function _ZN4shop4till3pay17h0123456789abcdefE.llvm.1234567890123
	function plain.isra.0
	.section .note.GNU-stack, "", @progbits
END
${CC:-gcc} -o clones clones.s || fail "cannot assemble"
cp clones bare
symbols 'ns::S::get' _ZN2ns1S3getEi.isra.0
symbols 'S::get(int)' _ZN2ns1S3getEi.isra.0
symbols 'get' _ZN2ns1S3getEi.isra.0
symbols 'S::put' _ZN2ns1S3putEi.constprop.1.isra.0
symbols 'S::run' _ZN2ns1S3runEi
symbols 'S::run.cold' _ZN2ns1S3runEi.cold
symbols 'S::cut(int) [clone .part.0]' _ZN2ns1S3cutEi.part.0
symbols 'share' _ZL5sharei.lto_priv.3
symbols 'till::pay' _ZN4shop4till3pay17h0123456789abcdefE.llvm.1234567890123
symbols 'plain' plain.isra.0
ktap -l 'process("./bare").function("S::cut")'
refused no-match
said "all that is left of it is a part, '_ZN2ns1S3cutEi.part.0', which not each call reaches"

# Each lambda has a line of its own in a list, and a name that leads to it: debugging information of gcc has no line of its operator.
cat >lambda.cc <<'END'
#define NI __attribute__((noinline))
static volatile int sink;
namespace { struct Q { NI int operator()(int v) const { return v + sink; } }; }
NI int first(int n) { auto f = [n](int x) NI { sink = n; return x + n; }; return f(1); }
NI int second(int n) {
	auto f = [n](int x) NI { sink = n; return x * n; }; auto g = [](const char *s, int x) NI { sink = *s; return x; };
	return f(2) + g("s", 3); }
struct T { NI int method(int n) const { return [this, n](int x) NI { auto in = [x](long l) NI { sink = x; return l; }; return x * n + (int)in(5); }(n); } };
NI int twice(int n) { auto f = [n](int x) NI { sink = n; return x * n; }, g = f; auto h = [n](int x) NI { sink = n + 1; return n; }; return f(2) + g(3) + h(4); }
NI int generic(int n) { auto f = [n](auto x) NI { sink = n; return (int)x; }; return f(2) + f(3L); }
int main(int c, char **) { return first(c) + second(c) + Q{}(1) + T{}.method(c) + twice(c) + generic(c); }
END
for compiler in "${CXX:-g++} -O0" "${CXX:-g++} -O2" 'clang++ -O2'; do
	$compiler -std=c++17 -g -o lambda lambda.cc 2>log || { case $compiler in clang*) continue ;; esac; cat log; fail "$compiler"; }
	ktap -l 'process("./lambda").function("operator()*")'
	sed -n 's/.*function("\(.*\)").*/\1/p' out | LC_ALL=C sort >names
	LC_ALL=C sort >expected <<-'END'
	(anonymous namespace)::Q::operator()@lambda.cc:3
	T::method::{lambda(int)}::operator()::{lambda(long)}::operator()@lambda.cc:8
	T::method::{lambda(int)}::operator()@lambda.cc:8
	first::{lambda(int)}::operator()@lambda.cc:4
	generic::{lambda(int)}::operator()<int>@lambda.cc:10
	generic::{lambda(long)}::operator()<long>@lambda.cc:10
	second::{lambda(char const*, int)}::operator()@lambda.cc:6
	second::{lambda(int)}::operator()@lambda.cc:6
	twice::{lambda(int):1}::operator()@lambda.cc:9
	twice::{lambda(int):2}::operator()@lambda.cc:9
	END
	sed -i 's/lambda.cc:[0-9]*//; s/long int/long/g' names expected
	cmp -s names expected || fail "$compiler: $(diff expected names)"
	sed -n 's/.*function("\(.*\)").*/\1/p' out >names
	while read -r name; do
		test "$("$KTAP" -l "process(\"./lambda\").function(\"$name\")")" = "$(grep -F "function(\"$name\")" out)" || fail "$compiler: '$name' is not taken"
	done <names
done
${CXX:-g++} -std=c++17 -g -O2 -o lambda lambda.cc
for name in 'second(int)::{lambda(int)#1}::operator()(int) const' 'second(int)::{lambda(int)#1}::operator()' 'second::{lambda(int)}::operator()'; do
	ktap -l "process(\"./lambda\").function(\"$name\")"
	test "$(cat out)" = "process(\"$PWD/lambda\").function(\"second::{lambda(int)}::operator()@lambda.cc:6\")" || fail "$name: $(cat out err)"
done

# With parameters in the name, calls that were inlined count as well; a template counts beside a function of its name.
cat >inlined.cc <<'END'
static volatile int sink;
struct S { int get(int a) const; int get(char c) const; };
inline int S::get(int a) const { sink = a; return a + 1; }
__attribute__((noinline)) int S::get(char c) const { sink = c; return c; }
template<typename T> __attribute__((noinline)) int over(T a) { sink = 1; return (int)a; }
__attribute__((noinline)) int over(int a) { sink = 2; return a; }
int (S::*volatile pointer)(int) const = &S::get;
int main(int c, char **) { S s; return s.get(c) + s.get('c') + (s.*pointer)(c) + over(1) + over(1.5); }
END
${CXX:-g++} -g -O2 -o inlined inlined.cc
ktap -p2 -e 'probe process("./inlined").function("S::get(int)") {}'
test "$(grep -c 'inlined.cc:3' out)" = 2 && ! grep -q 'inlined.cc:4' out || fail "S::get(int): $(cat out)"
ktap -l 'process("./inlined").function("over")'
test "$(grep -c 'function("over' out)" = 2 || fail "over: $(cat out)"

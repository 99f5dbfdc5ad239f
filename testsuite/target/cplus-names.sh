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

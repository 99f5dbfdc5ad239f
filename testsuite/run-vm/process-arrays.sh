#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# $ and $$ of arrays of bytes end where the type ends, quote what a terminal would act on, and show numbers where the bytes are no text;
# $$ names enumerators and functions. Expectations are those of the source.
. "$SRCDIR/testsuite/lib/process.sh"

program prog -O1 <<'END'
enum color { RED = 1, BLUE = -3 };
struct in { unsigned char mac[6]; signed char low[4]; };
struct s {
	char four[4], one[1], buffer[8]; unsigned char u8[6]; char lines[12], latin[4], utf8[6], cut[3], none[4];
	enum color c, other; int (*fn)(int), (*null)(int); const char *p, *zero; struct in in; char two[2][3], big[40]; char rest[];
};
int twice(int x) { return 2 * x; }
__attribute__((noinline)) int take(struct s *p, enum color c, int (*fn)(int))
{
	__asm__ volatile("" : : "r"(p), "r"(c), "r"(fn) : "memory");
	return c;
}
static struct s v = { "abcd", "e", "x\0\1\2\3\4\5", { 1, 2, 3 }, "a\n\t\"\\\33[1mz", "a\351b", "\303\251", "a\303\251", { 0, 1, 2, 3 },
	BLUE, 7, twice, 0, "l\n", 0, { { 0x52, 0x54, 0, 1, 2, 200 }, { -1, 'a' } }, { "ab", "cde" }, { 0, 1 }, "rest\33" };
static struct s *volatile at = &v;
int main(void) { return take(at, at->c, at->fn) == 3; }
END
for release in $(kernels); do
	# shellcheck disable=SC2016
	in_vm -c ./prog -e 'probe process("./prog").function("take") {
		println($p->four$, " ", $p->one$, " ", $p->buffer$, " ", $p->u8$)
		println($p->lines$, " ", $p->latin$, " ", $p->utf8$, " ", $p->cut$, " ", $p->none$, " ", $p->rest$)
		println($p->in$$)
		println($p->c$, " ", $p->c$$, " ", $p->other$$, " ", $p->fn$$, " ", $p->null$$)
		println($p->p$, " ", $p->zero$, " ", $p->two$, " ", $p->two$$, " ", $p->big$)
		println(substr($p$$, strpos($p$$, ".c="), 32))
		println(substr($$parms$$, strpos($$parms$$, " c="), 32))
	}'
	expect <<'END'
"abcd" "e" "x" [1, 2, 3, 0, 0, 0]
"a\n\t\"\\\033[1mz" [97, -23, 98, 0] "\u00E9" "a\u00E9" [0, 1, 2, 3] "rest\033"
{.mac=[82, 84, 0, 1, 2, 200], .low=[-1, 97, 0, 0]}
-3 BLUE 7 <function>:twice <function>:0x0
"l\n" NULL [[...], [...]] ["ab", "cde"] [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...]
.c=BLUE, .other=7, .fn=twice, .n
 c=BLUE fn=<function>:twice
END
done

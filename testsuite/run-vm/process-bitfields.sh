#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Bitfields of packed structures that lie in nine bytes, or cross two registers: read, printed with $ and written with -g, with what
# gcc and clang write in each version of DWARF; clang leaves out the bits of those that are as wide as their type. The program says what
# they are. Where clang, optimizing, passes such a structure is not known.
. "$SRCDIR/testsuite/lib/process.sh"

cat >source <<'END'
#include <stdio.h>
#include <string.h>
struct __attribute__((packed)) q {
	unsigned a : 30; unsigned long long b : 40, c : 58; unsigned d : 28; unsigned long long e : 60; long long f : 61;
	short g : 16; unsigned h : 32; _Bool i : 1;
};
struct __attribute__((packed)) r { unsigned a : 3; long long b : 62; unsigned c : 7; int d : 27; unsigned short e; };
static struct q v, *volatile at = &v;
__attribute__((noinline)) void take(struct q *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline)) int hold(struct r v) { __asm__ volatile(""); return v.c + v.d; }
static void show(void)
{
	printf("T {.a=%d, .b=%lld, .c=%lld, .d=%d, .e=%lld, .f=%lld, .g=%d, .h=%u, .i=%d}\n", v.a, (long long)v.b, (long long)v.c, v.d,
	       (long long)v.e, (long long)v.f, v.g, v.h, v.i);
}
static struct r source = { 5, -0x123456789abcdefLL, 99, -12345, 40000 };
int main(void)
{
	struct r w = source;

	memset(&v, 0xff, sizeof(v));
	v.a = 0x3abcdef0; v.b = 0xfedcba9876; v.c = 0x123456789abcdef; v.d = 0xfeedbee; v.e = 0x987654321012345; v.f = -77; v.g = -300;
	v.h = 0x92345678; v.i = 0;
	show();
	printf("T %lld %lld %lld\n", (long long)v.c, (long long)v.e, (long long)v.f);
	take(at);
	show();
	v.c = 0x333333333333333; v.e = 0xaaaaaaaaaaaaaa; v.f++; v.b += 7; v.g -= 2; v.h ^= 0xff0000ff;
	show();
#if !defined(__clang__) || !defined(__OPTIMIZE__)
	printf("T {.a=%d, .b=%lld, .c=%d, .d=%d, .e=%d} %d\n", w.a, (long long)w.b, w.c, w.d, w.e, w.d);
#endif
	hold(w);
	return 0;
}
END
program gcc_O1 -O1 <source
program gcc_O2_dwarf3 -O2 -gdwarf-3 -gstrict-dwarf <source
programs="gcc_O1 gcc_O2_dwarf3"
if command -v clang >/dev/null; then
	CC=clang program clang_O0 -O0 <source
	CC=clang program clang_O2_dwarf4 -O2 -gdwarf-4 <source
	programs="$programs clang_O0 clang_O2_dwarf4"
fi
for release in $(kernels); do
	for p in $programs; do
		# shellcheck disable=SC2016
		session "$p" -g -c "./$p" -e '
		probe process("./'"$p"'").function("take") {
			println("K ", $p$)
			printf("K %d %d %d\n", $p->c, $p->e, $p->f)
			println("K ", $p$$)
			$p->c = 0x333333333333333; $p->e = 0xaaaaaaaaaaaaaa; $p->f++; $p->b += 7; $p->g -= 2; $p->h ^= 0xff0000ff
			println("K ", $p$)
			$p->c = 0x123456789abcdef; $p->e = 0x987654321012345; $p->f = -77; $p->b -= 7; $p->g += 2; $p->h ^= 0xff0000ff
		}
		probe process("./'"$p"'").function("hold") { if (@defined($v)) println("K ", $v$, " ", $v->d) }'
	done
	boot
	for p in $programs; do
		result "$p"
		told_truth
	done
done

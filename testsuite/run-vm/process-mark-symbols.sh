#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
#! also-on: rt
# Arguments of marks that name symbols: two files have static variables of the same names, and each mark reads those of its own file;
# sums in either order, thread-local data, the table of addresses; programs of 64 and 32 bits, PIE or not, and a library. Without
# -g, a mark in a static function is decided by the symbol table, and one in a global function is refused.
. "$SRCDIR/testsuite/lib/process.sh"

need_32bit
for n in 1 2; do
	cat >unit$n.c <<END
#include <stdio.h>
#include <sys/sdt.h>
static int cnt = $n * 111;
static long tab[6] = { $n, -2 * $n, 30 * $n, -40 * $n, 50 * $n, 1L << 30 };
static struct { int a; short b; signed char c; unsigned char d; long long e; } gst = { -$n, -22 * $n, -3 * $n, 200 + $n, -1234567890123LL * $n };
static struct { long first, second; } pair = { 1, -5 * $n };
static __thread int mine = -70 * $n;
static int times = 9 * $n;
#ifdef WITHIN
static
#endif
void marks$n(long i, long long wide);
/* Nothing but marks: the operands are memory that no instruction of the function reads. */
__attribute__((noipa)) void marks$n(long i, long long wide)
{
	static int calls;

	STAP_PROBE8(prov, of$n, cnt, tab[3], tab[i], gst.b, gst.c, gst.d, mine, calls);
	STAP_PROBE3(prov, wide$n, wide * 3, gst.e, pair.second);
	calls += times;
}
void of$n(long i, long long wide)
{
	static int calls;

	printf("T of$n %d %ld %ld %d %d %d %d %d\nT wide$n %lld %lld %ld\n", cnt, tab[3], tab[i], gst.b, gst.c, gst.d, mine, calls, wide * 3, gst.e, pair.second);
	marks$n(i, wide);
	calls += times;
	cnt++, tab[i]++, tab[3]--, gst.a++, gst.b++, gst.c++, gst.d++, gst.e++, pair.second--, mine++;
}
END
done
cat >main.c <<'END'
#include <stdio.h>
void of1(long i, long long wide), of2(long i, long long wide);
void into(void);
int cnt_of_nobody;
int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (long i = 1; i < 4; i++) of1(i, (long long)i << 40), of2(i, -((long long)i << 40));
	into();
	return 0;
}
END
# What a library passes to its marks: addresses of its own, which the program has a copy of, and of libc's.
cat >into.c <<'END'
#include <stdio.h>
#include <sys/sdt.h>
int shared = 5;
__attribute__((visibility("hidden"))) int hidden = 6;
void into(void);
__attribute__((noipa)) static void *identity(void *p) { return p; }
__attribute__((noipa)) static void pass(void) { STAP_PROBE4(prov, into, &shared, &hidden, &stdout, into); }
void into(void)
{
	printf("T into 1 %d 1 1\n", hidden);
	pass();
	STAP_PROBE4(prov, truth, identity(&shared), identity(&hidden), identity(&stdout), identity(into));
}
END
all=
build()
{
	name=$1
	shift
	# shellcheck disable=SC2086
	${CC:-gcc} $m $dbg -O2 -fPIC -shared -o "$name.so" into.c &&
		${CC:-gcc} $m $dbg -O2 "$@" -o "$name" main.c unit1.c unit2.c "./$name.so" || fail "cannot compile $name"
	all="$all $name"
	sed "s/NAME/$name/g" >>script.stp <<-'END'
	probe process("./NAME").begin { println("K NAME"); n1 = n2 = 0 }
	probe process("./NAME").mark("of*") {
		# i386 refuses thread-local data: the numbers are those of the other programs.
		mine = @defined($arg7) ? $arg7 : $$name == "of1" ? n1++ - 70 : n2++ - 140
		printf("K %s %d %d %d %d %d %d %d %d\n", $$name, $arg1, $arg2, $arg3, $arg4, $arg5, $arg6, mine, $arg8)
	}
	probe process("./NAME").mark("wide*") { printf("K %s %d %d %d\n", $$name, $arg1, $arg2, $arg3) }
	probe process("./NAME.so").mark("into") {
		try { println(number($arg1)) } catch (message) { println(message) }
		into = $arg1; hidden = user_int($arg2); out = $arg3; fn = $arg4 }
	probe process("./NAME.so").mark("truth") { printf("K into %d %d %d %d\n", into == $arg1, hidden, out == $arg3, fn == $arg4) }
	END
}
{
	echo 'global into, hidden, out, fn, n1, n2'
	# A cast without the program's name means the kernel: what it cannot read there is memory of a program.
	echo 'function number(p) { return @cast(p, "atomic_t")->counter }'
} >script.stp
m='' dbg=-g
build pie -fPIE -pie
build fixed -fno-pie -no-pie -DWITHIN
# The program gets a copy of the library's variable.
sed -i 's/^int cnt_of_nobody/extern int shared; int *const volatile at = \&shared; &/' main.c
build copied -fno-pie -no-pie
m=$m32
build pie32 -fPIE -pie
build fixed32 -fno-pie -no-pie
m='' dbg=-g0
build bare -fPIE -pie -DWITHIN
for release in $(kernels); do
	in_vm -c "sh -c 'for name in$all; do echo \"T \$name\"; ./\$name; done'" script.stp
	told_truth
	grep -q '^read fault at 0x[0-9a-f]*: memory of a program, which user_ functions' out || fail "the fault has no cause: $(cat out)"
	test "$(wc -l <told)" = $((6 * 14)) || fail "not all was told on $release: $(cat told)"
done
# Neither the debugging information nor the symbol table shows which of the two is meant.
${CC:-gcc} -O2 -o undecided main.c unit1.c unit2.c ./pie.so
ktap -p2 -e 'probe process("./undecided").mark("of1") { println($arg1) }'
test "$status" != 0 || fail "accepted: $(cat out)"
said "its operand names 'cnt', of which the file has 2: unit1.c at 0x[0-9a-f]*, unit2.c at 0x[0-9a-f]*; debugging information (-g) would tell"
# A variable that is exported is not the static one whose symbol is gone.
strip -o stripped undecided
ktap -p2 -e 'probe process("./stripped").mark("of1") { println($arg1) }'
test "$status" != 0 || fail "accepted: $(cat out)"
said "its operand names 'cnt', and the symbol table was stripped from the file"

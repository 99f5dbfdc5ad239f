#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
#! also-on: rt
# A program of 32 bits: parameters, what they point at, wide and narrow values, structures that are returned, marks, lines,
# inlined functions, by its debugging information; arguments on the stack by its symbols alone; what it says of itself is
# the truth. It is PIE or not.
. "$SRCDIR/testsuite/lib/process.sh"

need_32bit
source='
#define _SDT_HAS_SEMAPHORES 1
#include <stdio.h>
#include <sys/sdt.h>
unsigned short prov_m_semaphore __attribute__((section(".probes")));
struct node { signed char c; long n; const char *name; struct node *next; long long wide; unsigned bits : 5; };
struct small { int x, y; };
struct many { long a[5]; };
long counter = -7;
static int hidden = 11;
static const char *const names[] = { "zero", "one" };
__attribute__((noipa)) long add(int a, long b, const char *s, struct node *p, unsigned char u)
{
	counter += a;
	STAP_PROBE8(prov, m, a, s, p->wide, u, counter, hidden, -5, names[a & 1]);
	printf("T add %d %ld %s %u counter %ld c %d n %ld name %s next %s wide %lld bits %u\n", a, b, s, u, counter - a, p->c, p->n,
	       p->name, p->next->name, p->next->wide, p->bits);
	printf("T mark %d %s %lld %u %ld %d -5 %s\n", a, s, p->wide, u, counter, hidden, names[a & 1]);
	printf("T add returns %ld of %d\n", a - b, a);
	return a - b;
}
__attribute__((noipa)) unsigned long long wide(long long v, short q, unsigned long long z)
{
	unsigned long long r = (unsigned long long)v * 3 + (unsigned long long)q + z;
	printf("T wide %lld %d %llu\nT wide returns %llu of %lld\n", v, q, z, r, v);
	return r;
}
__attribute__((noipa)) struct small make(int x)
{
	struct small s = { x, -x };
	printf("T make returns %d %d of %d\n", s.x, s.y, x);
	return s;
}
__attribute__((noipa)) struct many make_many(int depth, long x)
{
	struct many m = { { x, x + 1, x + 2, x + 3, x + 4 } };
	if (depth)
		make_many(depth - 1, x * 2);
	printf("T many returns %ld %ld of %d %ld\n", m.a[0], m.a[4], depth, x);
	return m;
}
static inline __attribute__((always_inline)) int squared(int n)
{
	int r = n * n;
	printf("T squared %d\n", n);
	return r;
}
__attribute__((noipa)) int outer(int n) { return squared(n) + squared(n + 1); }
__attribute__((noipa)) int branch(int k)
{
	if (k < 0)
		goto bad;
	printf("T line %d\n", k);
	return k; /* HERE */
bad:
	printf("T label %d\n", k);
	return -1;
}
int main(void)
{
	struct node q = { 1, 2, "second", NULL, -0x123456789aLL, 0 }, p = { -5, -1 << 30, "first", &q, -9, 19 };
	add(3, -0x7fffffff, "hello", &p, 250);
	wide(-0x123456789aLL, -2, 0xfedcba9876543210ull);
	make(21);
	make_many(2, 100);
	outer(6);
	branch(4);
	branch(-4);
	printf("T semaphore %d\n", prov_m_semaphore);
	return 3;
}'
script='
probe process("./prog").function("add").call {
	printf("K add %d %d %s %u counter %d c %d n %d name %s next %s wide %d bits %d\n", $a, $b, user_string($s), $u, @var("counter"),
	       $p->c, $p->n, user_string($p->name), user_string($p->next->name), $p->next->wide, $p->bits)
}
probe process("./prog").mark("m") {
	printf("K mark %d %s %d %u %d %d %d %s\n", $arg1, user_string($arg2), $arg3, $arg4, $arg5, $arg6, $arg7, user_string($arg8))
	if (@defined($$parms) && probing_32bit_app()) marked++
}
probe process("./prog").function("add").return { printf("K add returns %d of %d\n", $return, $a) }
probe process("./prog").function("wide") { printf("K wide %d %d %u\n", $v, $q, $z) }
probe process("./prog").function("wide").return { printf("K wide returns %u of %d\n", $return, $v) }
probe process("./prog").function("make").return { printf("K make returns %d %d of %d\n", $return->x, $return->y, $x) }
probe process("./prog").function("make_many").return {
	printf("K many returns %d %d of %d %d\n", $return->a[0], $return->a[4], $depth, @entry($x))
}
probe process("./prog").function("squared").inline { printf("K squared %d\n", $n) }
probe process("./prog").statement("branch@prog.c:HERE") { printf("K line %d\n", $k) }
probe process("./prog").function("branch").label("bad") { printf("K label %d\n", $k) }
probe process("./prog").end { printf("K semaphore %d\n", marked) }
global marked'
symbols='
probe process("./bare").function("add") {
	s = pointer_arg(3)
	p = pointer_arg(4)
	second = user_ulong(p + 12)
	printf("K add %d %d %s %u counter %d c %d n %d name %s next %s wide %d bits %d\n", int_arg(1), long_arg(2), user_string(s),
	       uint_arg(5), -7, user_int8(p), user_long(p + 4), user_string(user_ulong(p + 8)), user_string(user_ulong(second + 8)),
	       user_int64(second + 16), user_uint8(p + 24) & 31)
	printf("K32 %d %d %d\n", ulong_arg(2), uarch_bytes(), user_int(u_register("esp") + 4) == int_arg(1))
}
probe process("./bare").function("add").return { printf("K add returns %d of %d\n", returnval(), @entry(int_arg(1))) }
probe process("./bare").function("wide") { printf("K wide %d %d %u\n", longlong_arg(1), int_arg(3), u64_arg(4)) }'

line=$(printf '%s' "$source" | grep -n HERE | cut -d: -f1)
script=$(printf '%s' "$script" | sed "s/HERE/$line/")
while read -r name flags; do
	# shellcheck disable=SC2086
	printf '%s\n' "$source" | program "$name" $m32 $flags
done <<'KINDS'
pie -O2 -fpie -pie
fixed -O2 -fno-pie -no-pie -fomit-frame-pointer
KINDS
objcopy -g pie bare
for release in $(kernels); do
	for kind in pie fixed; do
		session $kind -c ./$kind -e "$(printf '%s' "$script" | sed "s,./prog\",./$kind\",; s,@prog.c,@$kind.c,")"
	done
	session bare -c ./bare -e "$symbols"
	boot
	for kind in pie fixed; do
		result $kind
		told_truth
		said 'Child process exited with status 3'
	done
	result bare
	printed '^K32 2147483649 4 1$'
	sed -i '/^T \(mark\|wide returns\|make\|many\|squared\|line\|label\|semaphore\)/d' out
	told_truth
done

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with a binary point in 64-bit integers: IEEE 754 double precision, rounded to nearest even, made of plain
 * integer instructions, for the kernel has no floating point. Context: any. No division of 128 bits is used: the kernel
 * has none.
 */
#include "core.h"
#include "fp.h"

typedef unsigned __int128 u128;

enum {
	EXP_MAX = 0x7ff,     /* of infinities and NaNs */
	BIAS = 1023,
	EXP_MIN = -1022,
	FRACTION = 52,       /* bits */
	GUARD = 10,          /* bits of the significand below those that are kept */
};
#define HIDDEN (1ull << FRACTION)
#define SIGN (1ull << 63)
#define INFINITE ((kt_u64)EXP_MAX << FRACTION)
#define NOT_A_NUMBER (SIGN | INFINITE | HIDDEN >> 1)
#define TOP (1ull << 62)     /* the significand's first bit, once it is unpacked */

/* A number that is finite and not 0: m * 2^(exp - 62), with m in [2^62, 2^63). */
struct number {
	kt_u64 sign;
	int exp;
	kt_u64 m;
};

static int is_nan(kt_u64 x) { return (x & ~SIGN) > INFINITE; }
static int is_inf(kt_u64 x) { return (x & ~SIGN) == INFINITE; }
static int is_zero(kt_u64 x) { return !(x & ~SIGN); }

/* Right by N; a bit that is lost sets the last one. */
static kt_u64 shift_jam(kt_u64 m, int n)
{
	if (n <= 0)
		return m;
	return n > 63 ? m != 0 : m >> n | ((m << (64 - n)) != 0);
}

static struct number unpack(kt_u64 x)
{
	struct number n = { .sign = x & SIGN };
	kt_u64 fraction = x & (HIDDEN - 1);
	int exp = (int)(x >> FRACTION & EXP_MAX);

	if (exp) {
		n.exp = exp - BIAS;
		n.m = (fraction | HIDDEN) << GUARD;
	} else {
		int shift = __builtin_clzll(fraction) - 1;

		n.exp = EXP_MIN + GUARD - shift;
		n.m = fraction << shift;
	}
	return n;
}

/* M is anything: its first bit moves to where it belongs. */
static kt_u64 pack(kt_u64 sign, int exp, kt_u64 m)
{
	kt_u64 rest, lead;
	int shift;

	if (!m)
		return sign;
	shift = __builtin_clzll(m) - 1;
	m = shift < 0 ? shift_jam(m, 1) : m << shift;
	exp -= shift;
	if (exp > BIAS)
		return sign | INFINITE;
	lead = exp < EXP_MIN ? 0 : (kt_u64)(exp - EXP_MIN) << FRACTION;
	m = shift_jam(m, EXP_MIN - exp);
	rest = m & ((1 << GUARD) - 1);
	m = (m + (1 << (GUARD - 1))) >> GUARD;
	if (rest == 1 << (GUARD - 1))
		m &= ~1ull;
	return sign | (lead + m); /* what is carried out of the significand makes the exponent greater */
}

kt_s64 kt_fp_scaled(kt_u64 m, int exp)
{
	return (kt_s64)pack(0, exp, m);
}

static kt_u64 add(kt_u64 x, kt_u64 y)
{
	struct number a, b;

	if (is_nan(x) || is_nan(y))
		return NOT_A_NUMBER;
	if (is_inf(x))
		return is_inf(y) && x != y ? NOT_A_NUMBER : x;
	if (is_inf(y))
		return y;
	if (is_zero(y))
		return is_zero(x) ? x & y : x;
	if (is_zero(x))
		return y;
	a = unpack(x);
	b = unpack(y);
	if (a.exp < b.exp || (a.exp == b.exp && a.m < b.m)) {
		struct number t = a;

		a = b;
		b = t;
	}
	b.m = shift_jam(b.m, a.exp - b.exp);
	if (a.sign != b.sign)
		return a.m == b.m ? 0 : pack(a.sign, a.exp, a.m - b.m);
	return pack(a.sign, a.exp, a.m + b.m);
}

static kt_u64 multiply(kt_u64 x, kt_u64 y)
{
	kt_u64 sign = (x ^ y) & SIGN;
	struct number a, b;
	u128 product;

	if (is_nan(x) || is_nan(y) || (is_inf(x) && is_zero(y)) || (is_zero(x) && is_inf(y)))
		return NOT_A_NUMBER;
	if (is_inf(x) || is_inf(y))
		return sign | INFINITE;
	if (is_zero(x) || is_zero(y))
		return sign;
	a = unpack(x);
	b = unpack(y);
	product = (u128)a.m * b.m;
	return pack(sign, a.exp + b.exp, (kt_u64)(product >> 62) | ((product & (TOP - 1)) != 0));
}

static kt_u64 divide(kt_u64 x, kt_u64 y)
{
	kt_u64 sign = (x ^ y) & SIGN, quotient = 0;
	struct number a, b;

	if (is_nan(x) || is_nan(y) || (is_inf(x) && is_inf(y)) || (is_zero(x) && is_zero(y)))
		return NOT_A_NUMBER;
	if (is_inf(x) || is_zero(y))
		return sign | INFINITE;
	if (is_zero(x) || is_inf(y))
		return sign;
	a = unpack(x);
	b = unpack(y);
	if (a.m < b.m) {
		a.m <<= 1;
		a.exp--;
	}
	for (int i = 0; i < 63; i++) {
		quotient <<= 1;
		if (a.m >= b.m) {
			a.m -= b.m;
			quotient |= 1;
		}
		a.m <<= 1;
	}
	return pack(sign, a.exp - b.exp, quotient | (a.m != 0));
}

/* x - n * y, n the whole number that is nearest to x / y: the even one of two. */
static kt_u64 remainder_of(kt_u64 x, kt_u64 y)
{
	struct number a, b;
	int odd = 0;

	if (is_nan(x) || is_nan(y) || is_inf(x) || is_zero(y))
		return NOT_A_NUMBER;
	if (is_zero(x) || is_inf(y))
		return x;
	a = unpack(x);
	b = unpack(y);
	if (a.exp < b.exp - 1)
		return x;
	if (a.exp < b.exp)
		a.m >>= 1; /* its last bits are 0 */
	for (int i = a.exp - b.exp; i >= 0; i--) {
		odd = a.m >= b.m;
		if (odd)
			a.m -= b.m;
		if (i)
			a.m <<= 1;
	}
	if (a.m > b.m - a.m || (a.m == b.m - a.m && odd)) {
		a.m = b.m - a.m;
		a.sign ^= SIGN;
	}
	return pack(a.sign, b.exp, a.m);
}

static kt_u64 square_root(kt_u64 x)
{
	struct number a;
	u128 rest;
	kt_u64 root = 0;

	if (is_nan(x) || ((x & SIGN) && !is_zero(x)))
		return NOT_A_NUMBER;
	if (is_zero(x) || is_inf(x))
		return x;
	a = unpack(x);
	rest = (u128)a.m << (62 + (a.exp & 1));
	for (int bit = 62; bit >= 0; bit--) {
		/* (root + 2^bit)^2 - root^2 */
		u128 step = ((u128)root << (bit + 1)) + ((u128)1 << (2 * bit));

		if (rest < step)
			continue;
		rest -= step;
		root |= 1ull << bit;
	}
	return pack(0, a.exp >> 1, root | (rest != 0));
}

kt_s64 kt_fn_fp_add(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return (kt_s64)add((kt_u64)x, (kt_u64)y);
}

kt_s64 kt_fn_fp_sub(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return (kt_s64)add((kt_u64)x, (kt_u64)y ^ SIGN);
}

kt_s64 kt_fn_fp_mul(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return (kt_s64)multiply((kt_u64)x, (kt_u64)y);
}

kt_s64 kt_fn_fp_div(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return (kt_s64)divide((kt_u64)x, (kt_u64)y);
}

kt_s64 kt_fn_fp_rem(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return (kt_s64)remainder_of((kt_u64)x, (kt_u64)y);
}

kt_s64 kt_fn_fp_sqrt(struct kt_ctx *c, kt_s64 x)
{
	return (kt_s64)square_root((kt_u64)x);
}

/* ---- order ---- */
/* Puts the numbers in the order of integers. */
static kt_s64 ordered(kt_u64 x)
{
	return x & SIGN ? -(kt_s64)(x & ~SIGN) : (kt_s64)x;
}

kt_s64 kt_fn_fp_eq(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return !is_nan((kt_u64)x) && !is_nan((kt_u64)y) && ordered((kt_u64)x) == ordered((kt_u64)y);
}

kt_s64 kt_fn_fp_lt(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return !is_nan((kt_u64)x) && !is_nan((kt_u64)y) && ordered((kt_u64)x) < ordered((kt_u64)y);
}

kt_s64 kt_fn_fp_le(struct kt_ctx *c, kt_s64 x, kt_s64 y)
{
	return !is_nan((kt_u64)x) && !is_nan((kt_u64)y) && ordered((kt_u64)x) <= ordered((kt_u64)y);
}

/* ---- whole numbers ---- */
kt_s64 kt_fn_long_to_fp(struct kt_ctx *c, kt_s64 n)
{
	kt_u64 m = n < 0 ? -(kt_u64)n : (kt_u64)n;

	return (kt_s64)pack(n < 0 ? SIGN : 0, 62, m);
}

kt_s64 kt_fn_fp32_to_fp64(struct kt_ctx *c, kt_s64 x)
{
	enum { FRACTION32 = 23, EXP32 = 0xff, BIAS32 = 127 };
	kt_u64 sign = (kt_u64)(x >> 31 & 1) << 63, fraction = (kt_u64)x & ((1u << FRACTION32) - 1);
	int exp = (int)(x >> FRACTION32 & EXP32);

	if (exp == EXP32)
		return (kt_s64)(fraction ? NOT_A_NUMBER : sign | INFINITE);
	if (exp)
		fraction |= 1u << FRACTION32;
	return (kt_s64)pack(sign, 62 - FRACTION32 + (exp ? exp : 1) - BIAS32, fraction);
}

/* Whether rounding increments the magnitude. The whole part is even or ODD; REST, above 0, is the fraction times 2^63. */
static int rounds_up(enum kt_rounding how, int negative, int odd, kt_u64 rest)
{
	switch (how) {
	case KT_ROUND_NEAR_EVEN:
		return rest > SIGN || (rest == SIGN && odd);
	case KT_ROUND_ZERO:
		return 0;
	case KT_ROUND_DOWN:
		return negative && rest;
	case KT_ROUND_UP:
		return !negative && rest;
	case KT_ROUND_NEAR_AWAY:
		return rest >= SIGN;
	case KT_ROUND_ODD:
		return rest && !odd;
	}
	return 0;
}

kt_s64 kt_fn_fp_to_long(struct kt_ctx *c, kt_s64 x, kt_s64 rounding, kt_s64 exact)
{
	kt_u64 whole = 0, rest = 0;
	struct number n;

	(void)c, (void)exact;
	if (is_zero((kt_u64)x))
		return 0;
	if (is_nan((kt_u64)x) || is_inf((kt_u64)x))
		return (kt_s64)SIGN;
	n = unpack((kt_u64)x);
	if (n.exp > 63 || (n.exp == 63 && (n.m != TOP || !n.sign)))
		return (kt_s64)SIGN;
	if (n.exp == 63) {
		whole = SIGN;
	} else if (n.exp >= 0) {
		whole = n.m >> (62 - n.exp);
		rest = n.m << (n.exp + 1) << 1;
	} else {
		rest = shift_jam(n.m, -n.exp - 2 < 0 ? 0 : -n.exp - 2) << (n.exp == -1);
	}
	whole += (kt_u64)rounds_up((enum kt_rounding)rounding, !!n.sign, whole & 1, rest);
	if (!n.sign && whole >> 63)
		return (kt_s64)SIGN;
	return n.sign ? (kt_s64)-whole : (kt_s64)whole;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/fp.c and core/fp-text.c: doubles made of integers are those of the processor, bit by bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/fp.h"
#include "testsuite/unit/tap.h"

enum { ROUNDS = 100000 };

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;
static kt_u64 state = 88172645463325252ull;

static kt_u64 any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Numbers whose exponents are near each other, the edges, and anything. */
static kt_u64 any_double(void)
{
	static const kt_u64 edges[] = { 0, 1, 0xfffffffffffffull, 0x10000000000000ull, 0x7fefffffffffffffull,
					0x7ff0000000000000ull, 0x7ff8000000000000ull, 0x3ff0000000000000ull };
	kt_u64 x = any();

	switch (any() % 8) {
	case 0:
		return x;
	case 1:
		return edges[x % 8] | (x & 1ull << 63);
	case 2:
		return x & 0x800fffffffffffffull;
	case 3:
		return (x & 0x800ff00000000000ull) | (1020 + any() % 8) << 52;
	default:
		return (x & 0x800fffffffffffffull) | (990 + any() % 70) << 52;
	}
}

static double value(kt_u64 x)
{
	double d;

	memcpy(&d, &x, sizeof(d));
	return d;
}

static kt_u64 bits(double d)
{
	kt_u64 x;

	memcpy(&x, &d, sizeof(x));
	return x;
}

/* One NaN is as good as another. */
static int same(kt_s64 ours, double theirs)
{
	return (isnan(value((kt_u64)ours)) && isnan(theirs)) || (kt_u64)ours == bits(theirs);
}

static int failures;

static void expect(const char *what, kt_u64 x, kt_u64 y, int good)
{
	if (!good && failures++ < 10)
		printf("# %s of %a and %a\n", what, value(x), value(y));
}

/* The C library's may have the wrong sign where it is 0. */
static double remainder_of(double a, double b)
{
	double r = remainder(a, b);

	return r == 0 ? copysign(r, a) : r;
}

static void arithmetic(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		kt_u64 x = any_double(), y = any_double();
		double a = value(x), b = value(y);
		kt_s64 s = (kt_s64)x, t = (kt_s64)y;

		expect("sum", x, y, same(kt_fn_fp_add(c, s, t), a + b));
		expect("difference", x, y, same(kt_fn_fp_sub(c, s, t), a - b));
		expect("product", x, y, same(kt_fn_fp_mul(c, s, t), a * b));
		expect("quotient", x, y, same(kt_fn_fp_div(c, s, t), a / b));
		expect("remainder", x, y, same(kt_fn_fp_rem(c, s, t), remainder_of(a, b)));
		expect("root", x, y, same(kt_fn_fp_sqrt(c, s), sqrt(a)));
		expect("order", x, y, kt_fn_fp_eq(c, s, t) == (a == b) && kt_fn_fp_lt(c, s, t) == (a < b) &&
					      kt_fn_fp_le(c, s, t) == (a <= b));
	}
	is_int(failures, 0, "arithmetic and order");
}

static void whole(void)
{
	failures = 0;
	for (int i = 0; i < ROUNDS; i++) {
		kt_u64 x = any_double();
		kt_s64 s = (kt_s64)x, n = (kt_s64)(any() >> any() % 64);
		double a = value(x);
		float f;
		kt_u32 word = (kt_u32)any();

		memcpy(&f, &word, sizeof(f));
		expect("long", (kt_u64)n, 0, same(kt_fn_long_to_fp(c, n), (double)n));
		expect("float", word, 0, same(kt_fn_fp32_to_fp64(c, word), (double)f));
		if (!(fabs(a) < 9e18))
			continue;
		expect("even", x, 0, kt_fn_fp_to_long(c, s, KT_ROUND_NEAR_EVEN, 0) == (kt_s64)nearbyint(a));
		expect("zero", x, 0, kt_fn_fp_to_long(c, s, KT_ROUND_ZERO, 0) == (kt_s64)trunc(a));
		expect("down", x, 0, kt_fn_fp_to_long(c, s, KT_ROUND_DOWN, 0) == (kt_s64)floor(a));
		expect("up", x, 0, kt_fn_fp_to_long(c, s, KT_ROUND_UP, 0) == (kt_s64)ceil(a));
		expect("away", x, 0, kt_fn_fp_to_long(c, s, KT_ROUND_NEAR_AWAY, 0) == (kt_s64)round(a));
	}
	is_int(failures, 0, "whole numbers and floats");
	is_int(kt_fn_fp_to_long(c, (kt_s64)bits(2.25), KT_ROUND_ODD, 0), 3, "to odd");
	is_int(kt_fn_fp_to_long(c, (kt_s64)bits(-9223372036854775808.0), KT_ROUND_ZERO, 0), -9223372036854775807ll - 1,
	       "the smallest long");
	is_int(kt_fn_fp_to_long(c, (kt_s64)bits(1e19), KT_ROUND_ZERO, 0), -9223372036854775807ll - 1, "too large");
}

static void text(void)
{
	char ours[512], theirs[512];

	failures = 0;
	for (int i = 0; i < ROUNDS / 10; i++) {
		kt_u64 x = any_double();
		int precision = (int)(any() % 25), exponent = (int)(any() % 700) - 350;

		if (isfinite(value(x))) {
			kt_fn_fp_to_string(c, ours, sizeof(ours), (kt_s64)x, precision);
			snprintf(theirs, sizeof(theirs), "%.*f", precision, value(x));
			expect("text", x, (kt_u64)precision, !strcmp(ours, theirs));
			snprintf(theirs, sizeof(theirs), "%.17g", value(x));
			expect("number", x, 0, (kt_u64)kt_fn_string_to_fp(c, theirs) == x);
		}
		snprintf(theirs, sizeof(theirs), "%llu.%llue%d", (unsigned long long)(any() >> any() % 64),
			 (unsigned long long)any(), exponent);
		expect(theirs, bits(strtod(theirs, NULL)), (kt_u64)kt_fn_string_to_fp(c, theirs),
		       same(kt_fn_string_to_fp(c, theirs), strtod(theirs, NULL)));
	}
	is_int(failures, 0, "text");
	kt_fn_fp_to_string(c, ours, 6, (kt_s64)bits(3.14159265), 8);
	is_str(ours, "3.141", "text that is cut");
	is_int(kt_fn_string_to_fp(c, "abc"), 0, "no number");
	is_int(kt_fn_string_to_fp(c, "1e99999999999"), 0x7ffll << 52, "too large a number");
	is_int(kt_fn_string_to_fp(c, "1e-99999999999"), 0, "too small a number");
	is_int(kt_fn_string_to_fp(c, "-0.0"), (kt_s64)(1ull << 63), "minus zero");
}

int main(void)
{
	arithmetic();
	whole();
	text();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubles from and to decimal text, exactly: with integers as long as the longest double, on the stack.
 * Context: any.
 */
#include "core.h"
#include "fp.h"

enum {
	WORDS = 52,           /* 1664 bits: 2^1024, and DECIMALS_MAX digits that 10^EXPONENT_MAX will divide */
	TEN9 = 1000000000,    /* the largest power of ten in a word */
	TEN9_DIGITS = 9,
	PRECISION_MAX = 60,   /* digits after the point */
	EXPONENT_MAX = 400,   /* of ten: far beyond the largest double and the smallest */
	DECIMALS_MAX = 40,    /* significant ones that are read; of the others, whether there are any but 0 */
	LONGEST = 380,        /* digits of any number that is printed */
};

/* A whole number, its lowest word first. */
struct big {
	kt_u32 n; /* words in use: the last of them is not 0 */
	kt_u32 word[WORDS];
};

static void big_set(struct big *b, kt_u64 value)
{
	b->n = 0;
	for (; value; value >>= 32)
		b->word[b->n++] = (kt_u32)value;
}

static void big_multiply_add(struct big *b, kt_u32 by, kt_u32 carry)
{
	kt_u64 sum = carry;

	for (kt_u32 i = 0; i < b->n; i++) {
		sum += (kt_u64)b->word[i] * by;
		b->word[i] = (kt_u32)sum;
		sum >>= 32;
	}
	if (sum && b->n < WORDS)
		b->word[b->n++] = (kt_u32)sum;
}

/* The rest. */
static kt_u32 big_divide(struct big *b, kt_u32 by)
{
	kt_u64 rest = 0;

	for (kt_u32 i = b->n; i-- > 0;) {
		rest = rest << 32 | b->word[i];
		b->word[i] = (kt_u32)(rest / by);
		rest %= by;
	}
	while (b->n && !b->word[b->n - 1])
		b->n--;
	return (kt_u32)rest;
}

static int big_bit(const struct big *b, kt_u32 i)
{
	return i / 32 < b->n && (b->word[i / 32] >> i % 32 & 1);
}

static int big_any_below(const struct big *b, kt_u32 bit)
{
	for (kt_u32 i = 0; i < bit / 32 && i < b->n; i++)
		if (b->word[i])
			return 1;
	return bit / 32 < b->n && (b->word[bit / 32] & ((1u << bit % 32) - 1));
}

/* 64 bits from bit I on. */
static kt_u64 big_piece(const struct big *b, kt_u32 i)
{
	kt_u64 piece = 0;

	for (kt_u32 k = 0; k < 64; k++)
		piece |= (kt_u64)big_bit(b, i + k) << k;
	return piece;
}

static void big_shift_left(struct big *b, kt_u32 by)
{
	for (; by >= 31; by -= 31)
		big_multiply_add(b, 1u << 31, 0);
	big_multiply_add(b, 1u << by, 0);
}

static void big_shift_right(struct big *b, kt_u32 by)
{
	kt_u32 words = by / 32, bits = by % 32, n = b->n > words ? b->n - words : 0;

	for (kt_u32 i = 0; i < n; i++) {
		kt_u64 two = b->word[i + words];

		if (i + words + 1 < b->n)
			two |= (kt_u64)b->word[i + words + 1] << 32;
		b->word[i] = (kt_u32)(two >> bits);
	}
	for (b->n = n; b->n && !b->word[b->n - 1];)
		b->n--;
}

static void big_times_ten(struct big *b, int exponent)
{
	for (; exponent >= TEN9_DIGITS; exponent -= TEN9_DIGITS)
		big_multiply_add(b, TEN9, 0);
	for (; exponent > 0; exponent--)
		big_multiply_add(b, 10, 0);
}

/* ---- to text ---- */
/* VALUE with its last PRECISION digits after a point. */
static void print_digits(struct kt_out *out, struct big *value, kt_u32 precision)
{
	char digits[LONGEST + PRECISION_MAX];
	kt_u32 n = 0;

	do {
		kt_u32 nine = big_divide(value, TEN9);

		for (int i = 0; i < TEN9_DIGITS && (value->n || nine || n <= precision); i++) {
			digits[n++] = (char)('0' + nine % 10);
			nine /= 10;
		}
	} while (value->n || n <= precision);
	while (n-- > 0) {
		kt_out_char(out, digits[n]);
		if (n && n == precision)
			kt_out_char(out, '.');
	}
}

void kt_fn_fp_to_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 x, kt_s64 precision)
{
	struct kt_out out = { .at = ret, .size = size };
	int exp = (int)(x >> 52 & 0x7ff);
	kt_u64 m = (kt_u64)x & ((1ull << 52) - 1);
	struct big value;

	precision = precision < 0 ? 0 : precision > PRECISION_MAX ? PRECISION_MAX : precision;
	if (exp == 0x7ff) {
		kt_strcpy(ret, m ? "nan" : x < 0 ? "-inf" : "inf", size);
		return;
	}
	if (x < 0)
		kt_out_char(&out, '-');
	big_set(&value, exp ? m | 1ull << 52 : m);
	exp = (exp ? exp : 1) - 1075;
	big_times_ten(&value, (int)precision);
	if (exp >= 0) {
		big_shift_left(&value, (kt_u32)exp);
	} else {
		kt_u32 below = (kt_u32)-exp;
		int half = big_bit(&value, below - 1), more = big_any_below(&value, below - 1);

		big_shift_right(&value, below);
		if (half && (more || big_bit(&value, 0))) {
			if (!value.n)
				big_set(&value, 1);
			else
				big_multiply_add(&value, 1, 1);
		}
	}
	print_digits(&out, &value, (kt_u32)precision);
	kt_out_finish(&out);
}

/* ---- from text ---- */
/* DIGITS * 10^EXPONENT and, if MORE, a little more. Rounded once: the last bit of 63 stands for all that is after. */
static kt_s64 double_of(struct big *value, int exponent, int more)
{
	kt_u32 scale = 0, top;
	kt_u64 m;
	int power;

	big_times_ten(value, exponent);
	if (exponent < 0) {
		/* 64 bits are left after the division: ten is less than 2^(10/3). */
		scale = (kt_u32)(-exponent * 10 / 3 + 66);
		if (scale > WORDS * 32 - 64)
			return 0;
		big_shift_left(value, scale);
		for (; exponent <= -TEN9_DIGITS; exponent += TEN9_DIGITS)
			more |= !!big_divide(value, TEN9);
		for (; exponent < 0; exponent++)
			more |= !!big_divide(value, 10);
	}
	if (!value->n)
		return 0;
	top = value->n * 32 - (kt_u32)__builtin_clz(value->word[value->n - 1]);
	power = (int)top - 1 - (int)scale;
	m = top > 63 ? big_piece(value, top - 63) & ~(1ull << 63) : big_piece(value, 0) << (63 - top);
	if (top > 63)
		more |= big_any_below(value, top - 63);
	return kt_fp_scaled(m | (more ? 1 : 0), power);
}

kt_s64 kt_fn_string_to_fp(struct kt_ctx *c, const char *s)
{
	struct big digits = { .n = 0 };
	int exponent = 0, point = 0, n = 0, more = 0, negative;
	kt_s64 value;

	while (*s == ' ' || *s == '\t' || *s == '\n')
		s++;
	negative = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
		if (*s == '.') {
			point = 1;
			continue;
		}
		if (n < DECIMALS_MAX) {
			big_multiply_add(&digits, 10, (kt_u32)(*s - '0'));
			n += digits.n != 0;
			exponent -= point;
		} else {
			more |= *s != '0';
			exponent += !point;
		}
	}
	if ((*s == 'e' || *s == 'E') && digits.n) {
		int down = s[1] == '-', e = 0;

		for (s += 1 + (down || s[1] == '+'); *s >= '0' && *s <= '9'; s++)
			e = e < 10 * EXPONENT_MAX ? e * 10 + (*s - '0') : e;
		exponent += down ? -e : e;
	}
	if (!digits.n || exponent < -EXPONENT_MAX)
		value = 0;
	else if (exponent > EXPONENT_MAX)
		value = 0x7ffll << 52;
	else
		value = double_of(&digits, exponent, more);
	return negative ? (kt_s64)((kt_u64)value | 1ull << 63) : value;
}

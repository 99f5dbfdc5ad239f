/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: what `s <<< v` keeps, and what the @-operators read off it.
 *
 * An aggregate is an array of words; all zero is the empty one. Its type, a constant of the generated C, says which
 * fields exist; they follow each other in the order of enum kt_stat_field, so an aggregate takes no more than it
 * needs. Scalars have a copy for each level of handlers on each CPU in the per-CPU globals (kt_stat_collect() merges them), array elements
 * one per map. Generated C writes
 *
 *	static const struct kt_stat_type t_lat = {
 *		.fields = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_HIST, .hist = KT_HIST_LOG, .buckets = KT_LOG_BUCKETS,
 *		.words = KT_STAT_WORDS(KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_HIST, KT_LOG_BUCKETS, 0),
 *	};
 *
 * To add a field: a bit here, its words in KT_STAT_WORDS, a line each in kt_stat_add(), kt_stat_merge() and the
 * function that reads it.
 */
#ifndef KT_CORE_STAT_H
#define KT_CORE_STAT_H

#include "../script.h"

enum kt_stat_field {
	KT_STAT_COUNT = 1, /* always set: it distinguishes an empty aggregate */
	KT_STAT_SUM = 2,   /* @sum, @avg */
	KT_STAT_MIN = 4,
	KT_STAT_MAX = 8,
	KT_STAT_VAR = 16,  /* @variance: sum and sum of squares, 128 bits each */
	KT_STAT_HIST = 32, /* @hist_log or @hist_linear */
	KT_STAT_PCT = 64,  /* @p: needs MIN and MAX too */
};

enum kt_hist { KT_HIST_NONE, KT_HIST_LOG, KT_HIST_LINEAR };

enum {
	KT_LOG_BUCKETS = 128,
	KT_LOG_ZERO = 64,        /* bucket of value 0; 2^k is in 65 + k, -2^k in 63 - k */
	KT_LINEAR_ROWS_MAX = 128,
	/* A power of two has 16 sub-buckets: the value that @p reports is within 1/32 = 3.2 % of a true one. Scalars have
	 * all buckets, 15 KB. Elements of arrays have a directory of pages, 0.5 KB, and get pages of 16 buckets from
	 * the map as they need them. */
	KT_PCT_BITS = 4,
	KT_PCT_PAGED = 32,
	KT_PCT_BITS_SCALAR = KT_PCT_BITS,
	KT_PCT_BITS_ARRAY = KT_PCT_BITS | KT_PCT_PAGED,
	KT_PCT_BUCKETS = (2 * (64 - KT_PCT_BITS)) << KT_PCT_BITS,
	KT_PAGE_WORDS = 16,
	KT_PCT_PAGES = KT_PCT_BUCKETS / KT_PAGE_WORDS,
	KT_PCT_PAGED_WORDS = 1 + KT_PCT_PAGES / 2, /* the pool's address, and page numbers of 32 bits */
};

/* Buckets of @hist_linear(s, lo, hi, step): one per step from lo to hi, and the two outside. The translator has
 * checked that step > 0, hi >= lo and that there are at most KT_LINEAR_ROWS_MAX rows. */
#define KT_LINEAR_BUCKETS(lo, hi, step) ((kt_u32)(((kt_u64)(hi) - (kt_u64)(lo)) / (kt_u64)(step)) + 3)
#define KT_STAT_HAS(fields, field) (((fields) & (field)) != 0)
/* Words before the histogram, the percentiles, and in all. */
#define KT_STAT_HIST_AT(fields)                                                                     \
	(KT_STAT_HAS(fields, KT_STAT_COUNT) + KT_STAT_HAS(fields, KT_STAT_SUM) +                    \
	 KT_STAT_HAS(fields, KT_STAT_MIN) + KT_STAT_HAS(fields, KT_STAT_MAX) +                      \
	 4 * KT_STAT_HAS(fields, KT_STAT_VAR))
#define KT_STAT_PCT_AT(fields, buckets) \
	(KT_STAT_HIST_AT(fields) + (KT_STAT_HAS(fields, KT_STAT_HIST) ? (buckets) : 0))
#define KT_STAT_WORDS(fields, buckets, bits)                                                       \
	(KT_STAT_PCT_AT(fields, buckets) +                                                         \
	 (!KT_STAT_HAS(fields, KT_STAT_PCT) ? 0 : (bits) & KT_PCT_PAGED ? KT_PCT_PAGED_WORDS : KT_PCT_BUCKETS))

struct kt_stat_type {
	kt_u32 fields;    /* enum kt_stat_field */
	kt_u32 words;     /* KT_STAT_WORDS() */
	kt_u32 hist;      /* enum kt_hist */
	kt_u32 buckets;   /* of the histogram: KT_LOG_BUCKETS, KT_LINEAR_BUCKETS() */
	kt_s64 lo, hi, step;
	kt_s32 margin;    /* empty rows that are printed beside one that is not; below 0: all between such rows */
	kt_u32 pct_bits;  /* KT_PCT_BITS_SCALAR or KT_PCT_BITS_ARRAY */
	kt_u32 full_bars; /* the longest bar fills the width; without, a character is one hit or more */
};

/* Pages of percentile buckets: part of a map, see map.h. Page 0 means no page. */
struct kt_pages {
	kt_s64 *words;    /* page n is at words + n * KT_PAGE_WORDS */
	kt_u32 n;         /* pages, 0 included */
	kt_u32 fresh;     /* first that was never used */
	kt_u32 free;      /* list of freed pages, linked by their first words */
	kt_u64 lost;      /* values that found no page: reading a percentile is an error then */
};

/* The quantities of an aggregate that @-operators and sort directives name. */
enum kt_stat_op {
	KT_OP_COUNT,
	KT_OP_SUM,
	KT_OP_MIN,
	KT_OP_MAX,
	KT_OP_AVG,
	KT_OP_VARIANCE,
	KT_OP_PCT,
};

/* ---- adding: inline, so that a constant type leaves only the lines it needs ---- */

/* 0 to 127: see KT_LOG_ZERO. */
static inline kt_u32 kt_log_bucket(kt_s64 v)
{
	kt_u64 size = v < 0 ? -(kt_u64)v : (kt_u64)v;
	kt_u32 bits = size ? 64 - __builtin_clzll(size) : 0;

	return v < 0 ? KT_LOG_ZERO - bits : KT_LOG_ZERO + bits;
}

/* 0: below lo; the last: a step or more past hi. */
static inline kt_u32 kt_linear_bucket(const struct kt_stat_type *t, kt_s64 v)
{
	kt_u64 row;

	if (v < t->lo)
		return 0;
	row = ((kt_u64)v - (kt_u64)t->lo) / (kt_u64)t->step;
	return row >= t->buckets - 2 ? t->buckets - 1 : (kt_u32)row + 1;
}

/* Log-linear: exact up to 16, then 16 buckets to a power of two; negative values mirrored below. */
static inline kt_u32 kt_pct_bucket(kt_s64 v)
{
	kt_u64 size = v < 0 ? ~(kt_u64)v : (kt_u64)v;
	kt_u32 top = size >> KT_PCT_BITS ? 63 - __builtin_clzll(size) : 0, at = size;

	if (top)
		at = ((top - KT_PCT_BITS + 1) << KT_PCT_BITS) +
		     ((size >> (top - KT_PCT_BITS)) & ((1u << KT_PCT_BITS) - 1));
	return v < 0 ? KT_PCT_BUCKETS / 2 - 1 - at : KT_PCT_BUCKETS / 2 + at;
}

/* Counts N values in a bucket of a paged aggregate; AT is its first percentile word. */
void kt_pct_add_paged(kt_s64 *at, kt_u32 bucket, kt_s64 n);

static inline void kt_add_128(kt_s64 *word, unsigned __int128 v)
{
	unsigned __int128 sum = ((unsigned __int128)(kt_u64)word[1] << 64 | (kt_u64)word[0]) + v;

	word[0] = (kt_s64)sum;
	word[1] = (kt_s64)(sum >> 64);
}

/* s <<< v. Context: any; whoever calls owns S (its own CPU's copy, or under the lock). */
static inline __attribute__((always_inline)) void kt_stat_add(kt_s64 *s, const struct kt_stat_type *t, kt_s64 v)
{
	kt_u32 fields = t->fields;
	kt_s64 before = *s, *at = s + 1;

	if (fields & KT_STAT_SUM) {
		*at = (kt_s64)((kt_u64)*at + (kt_u64)v);
		at++;
	}
	if (fields & KT_STAT_MIN) {
		if (!before || v < *at)
			*at = v;
		at++;
	}
	if (fields & KT_STAT_MAX) {
		if (!before || v > *at)
			*at = v;
		at++;
	}
	if (fields & KT_STAT_VAR) {
		kt_add_128(at, (unsigned __int128)(__int128)v);
		kt_add_128(at + 2, (unsigned __int128)((__int128)v * v));
		at += 4;
	}
	if (fields & KT_STAT_HIST) {
		at[t->hist == KT_HIST_LOG ? kt_log_bucket(v) : kt_linear_bucket(t, v)]++;
		at += t->buckets;
	}
	if (fields & KT_STAT_PCT) {
		if (t->pct_bits & KT_PCT_PAGED)
			kt_pct_add_paged(at, kt_pct_bucket(v), 1);
		else
			at[kt_pct_bucket(v)]++;
	}
	/* Last: who reads the copy meanwhile takes it for empty until the first value is whole. */
	__atomic_store_n(s, before + 1, __ATOMIC_RELEASE);
}

/* Adds V to the scalar at OFFSET in the per-CPU globals. Each level of handlers has a copy of its own, as one may interrupt another that is in the
 * middle of adding. */
static inline __attribute__((always_inline)) void kt_stat_add_scalar(struct kt_ctx *c, kt_u32 offset, const struct kt_stat_type *t, kt_s64 v)
{
	kt_stat_add(&kt_cpu_long(c, offset) + c->level * t->words, t, v);
}

/* ---- reading (stat.c) ---- */

/* A new element's page directory; gives its pages back. Only for paged types. */
void kt_stat_open_pages(kt_s64 *s, const struct kt_stat_type *t, struct kt_pages *pool);
void kt_stat_free_pages(kt_s64 *s, const struct kt_stat_type *t);
static inline int kt_stat_is_paged(const struct kt_stat_type *t)
{
	return t->fields & KT_STAT_PCT && t->pct_bits & KT_PCT_PAGED;
}

/* Adds FROM to TO. */
void kt_stat_merge(kt_s64 *to, const kt_s64 *from, const struct kt_stat_type *t);
/* A scalar: the sum of the copies that all levels of all CPUs keep at OFFSET in their globals, into RET (t->words words). A CPU
 * that is adding at this moment is seen before or after it, and its fields may be some hits apart, as they are read one after the
 * other: the variance then is not exact, and never negative. */
void kt_stat_collect(kt_s64 *ret, const struct kt_stat_type *t, kt_u32 offset);

/* The value of an operator; PARAM: the N of @p(s, N), else 0. S may be NULL: an absent element, which is empty.
 * Empty: @count and @sum are 0, the others raise "empty aggregate". Place: KT_CHECK() after it.
 * @variance is exact (of a sample: divided by count - 1; 0 for one value), whatever the script's shift. */
kt_s64 kt_stat_get(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_u32 op, kt_s64 param);

/* @hist(s)[i]: raises "histogram index out of range". foreach (i in @hist(s)) runs from 0 to t->buckets - 1. */
kt_s64 kt_hist_bucket(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_s64 i);
/* i in @hist(s): can that bucket be read? */
static inline kt_s64 kt_hist_has(const kt_s64 *s, const struct kt_stat_type *t, kt_s64 i)
{
	return s && s[0] && (kt_u64)i < t->buckets;
}
/* print(@hist(s)): one record of the format NUMBER, which is "%s". Raises "empty aggregate". */
void kt_hist_print(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_u32 number);
/* sprint(@hist(s)), cut to SIZE. */
void kt_hist_sprint(struct kt_ctx *c, char *ret, kt_u32 size, const kt_s64 *s, const struct kt_stat_type *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: merging, the values of the @-operators, and histograms as text. stat.h says how they are stored.
 *
 * Context of everything here: any, but printing a histogram is linear in its rows and collecting in the CPUs.
 * Integer arithmetic only; sums of squares take 128 bits, divided by a loop because kernels have no helper for it.
 */
#include "core.h"
#include "stat.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

enum {
	HIST_WIDTH = 50,  /* characters of the longest bar */
	LABEL_WIDTH = 5,  /* at least: "value" */
	LABEL_MAX = 24,
};

static const char empty[] = "empty aggregate";

/* Index of a field's first word. FIELD is one bit below KT_STAT_HIST. */
static kt_u32 word_of(const struct kt_stat_type *t, kt_u32 field)
{
	return KT_STAT_HIST_AT(t->fields & (field - 1));
}

static u128 load_128(const kt_s64 *word)
{
	return (u128)(kt_u64)word[1] << 64 | (kt_u64)word[0];
}

/* ---- pages of percentile buckets ---- */

typedef kt_u32 __attribute__((may_alias)) page_number;

static struct kt_pages *pool_of(const kt_s64 *at)
{
	return (struct kt_pages *)(unsigned long)at[0];
}

static kt_s64 *page_of(const kt_s64 *at, kt_u32 i)
{
	kt_u32 page = ((const page_number *)(at + 1))[i];

	return page ? pool_of(at)->words + (__SIZE_TYPE__)page * KT_PAGE_WORDS : NULL;
}

static kt_u32 take_page(struct kt_pages *pool)
{
	kt_u32 page = pool->free;

	if (page) {
		pool->free = pool->words[(__SIZE_TYPE__)page * KT_PAGE_WORDS];
		memset(pool->words + (__SIZE_TYPE__)page * KT_PAGE_WORDS, 0, KT_PAGE_WORDS * sizeof(kt_s64));
	} else if (pool->fresh < pool->n) {
		page = pool->fresh++;
		memset(pool->words + (__SIZE_TYPE__)page * KT_PAGE_WORDS, 0, KT_PAGE_WORDS * sizeof(kt_s64));
	}
	return page;
}

void kt_pct_add_paged(kt_s64 *at, kt_u32 bucket, kt_s64 n)
{
	kt_u32 i = bucket / KT_PAGE_WORDS;
	kt_s64 *page = page_of(at, i);

	if (!page) {
		((page_number *)(at + 1))[i] = take_page(pool_of(at));
		page = page_of(at, i);
	}
	if (page)
		page[bucket % KT_PAGE_WORDS] += n;
	else
		pool_of(at)->lost += n;
}

void kt_stat_open_pages(kt_s64 *s, const struct kt_stat_type *t, struct kt_pages *pool)
{
	s[KT_STAT_PCT_AT(t->fields, t->buckets)] = (kt_s64)(unsigned long)pool;
}

void kt_stat_free_pages(kt_s64 *s, const struct kt_stat_type *t)
{
	kt_s64 *at = s + KT_STAT_PCT_AT(t->fields, t->buckets);
	struct kt_pages *pool = pool_of(at);

	for (kt_u32 i = 0; i < KT_PCT_PAGES; i++) {
		kt_s64 *page = page_of(at, i);

		if (!page)
			continue;
		page[0] = pool->free;
		pool->free = ((page_number *)(at + 1))[i];
	}
}

static void merge_pages(kt_s64 *to, const kt_s64 *from)
{
	for (kt_u32 i = 0; i < KT_PCT_PAGES; i++) {
		const kt_s64 *page = page_of(from, i);

		for (kt_u32 k = 0; page && k < KT_PAGE_WORDS; k++) {
			if (page[k])
				kt_pct_add_paged(to, i * KT_PAGE_WORDS + k, page[k]);
		}
	}
	pool_of(to)->lost += pool_of(from)->lost;
	pool_of(from)->lost = 0;
}

/* ---- merging ---- */

void kt_stat_merge(kt_s64 *to, const kt_s64 *from, const struct kt_stat_type *t)
{
	kt_s64 n = __atomic_load_n(from, __ATOMIC_ACQUIRE);
	kt_u32 at, end;

	if (!n)
		return;
	if (t->fields & KT_STAT_SUM) {
		at = word_of(t, KT_STAT_SUM);
		to[at] = (kt_s64)((kt_u64)to[at] + (kt_u64)from[at]);
	}
	if (t->fields & KT_STAT_MIN) {
		at = word_of(t, KT_STAT_MIN);
		if (!to[0] || from[at] < to[at])
			to[at] = from[at];
	}
	if (t->fields & KT_STAT_MAX) {
		at = word_of(t, KT_STAT_MAX);
		if (!to[0] || from[at] > to[at])
			to[at] = from[at];
	}
	if (t->fields & KT_STAT_VAR) {
		at = word_of(t, KT_STAT_VAR);
		kt_add_128(to + at, load_128(from + at));
		kt_add_128(to + at + 2, load_128(from + at + 2));
	}
	/* The buckets of both kinds are counts, but for pages. */
	end = kt_stat_is_paged(t) ? KT_STAT_PCT_AT(t->fields, t->buckets) : t->words;
	for (at = KT_STAT_HIST_AT(t->fields); at < end; at++)
		to[at] += from[at];
	if (kt_stat_is_paged(t))
		merge_pages(to + end, from + end);
	to[0] += n;
}

void kt_stat_collect(kt_s64 *ret, const struct kt_stat_type *t, kt_u32 offset)
{
	memset(ret, 0, t->words * sizeof(*ret));
	for (kt_u32 cpu = 0; cpu < kt_n_cpus(); cpu++) {
		char *area = kt_cpu_area(cpu);

		for (kt_u32 level = 0; area && level < KT_LEVELS; level++)
			kt_stat_merge(ret, (const kt_s64 *)(area + offset) + level * t->words, t);
	}
}

/* ---- values ---- */

/* Long division, a bit at a time. */
static u128 divide_wide(u128 value, kt_u64 by, kt_u64 *rest)
{
	u128 quotient = 0, left = 0;

	for (int bit = 127; bit >= 0; bit--) {
		left = left << 1 | (value >> bit & 1);
		if (left >= by) {
			left -= by;
			quotient |= (u128)1 << bit;
		}
	}
	*rest = (kt_u64)left;
	return quotient;
}

/* Of a sample, rounded down: (sum of squares - sum^2 / n) / (n - 1). With sum = mean * n + rest this is
 * (squares - mean * (sum + rest) - rest^2 / n) / (n - 1), where no term is larger than the squares. */
static kt_s64 variance(const kt_s64 *s, const struct kt_stat_type *t)
{
	const kt_s64 *at = s + word_of(t, KT_STAT_VAR);
	s128 sum = (s128)load_128(at);
	kt_u64 n = s[0], rest, unused;
	s128 mean;
	u128 squares, less;

	if (n < 2)
		return 0;
	/* Round the mean down, below zero too, so that rest is not negative. */
	mean = sum < 0 ? -(s128)divide_wide(-(u128)sum + n - 1, n, &unused) : (s128)divide_wide(sum, n, &unused);
	rest = (kt_u64)(sum - mean * n);
	less = divide_wide((u128)rest * rest, n, &unused);
	less += (unused != 0) + (u128)mean * ((u128)sum + rest);
	squares = load_128(at + 2);
	if (squares < less)
		return 0; /* of a copy to which a CPU was adding: it has the sum already */
	squares = divide_wide(squares - less, n - 1, &unused);
	return squares >> 63 ? 0x7fffffffffffffffll : (kt_s64)squares;
}

/* A value in the middle of percentile bucket AT. */
static kt_s64 bucket_middle(kt_u32 at)
{
	enum { half = KT_PCT_BUCKETS / 2, bits = KT_PCT_BITS };
	kt_u32 size = at < half ? half - 1 - at : at - half;
	kt_u64 value = size;

	if (size >> bits) {
		kt_u32 step = (size >> bits) - 1; /* log2 of the bucket's width */

		value = (kt_u64)((1u << bits) + (size & ((1u << bits) - 1))) << step;
		value += ((kt_u64)1 << step) / 2;
	}
	return (kt_s64)(at < half ? ~value : value);
}

/* The smallest value that at least PERCENT % of all are not above, within the bucket's error. */
static kt_s64 percentile(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_s64 percent)
{
	const kt_s64 *at = s + KT_STAT_PCT_AT(t->fields, t->buckets), *page;
	kt_s64 least = s[word_of(t, KT_STAT_MIN)], most = s[word_of(t, KT_STAT_MAX)], value;
	kt_u64 count = s[0], seen = 0, rank;
	kt_u32 i = 0;

	if (percent <= 0)
		return least;
	if (percent >= 100)
		return most;
	if (kt_stat_is_paged(t) && pool_of(at)->lost) {
		kt_errorf(c, "percentiles are incomplete: %d values of the array found no room; raise -DMAXMAPENTRIES",
			  pool_of(at)->lost);
		return 0;
	}
	rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
	for (; i < KT_PCT_BUCKETS; i++) {
		page = kt_stat_is_paged(t) ? page_of(at, i / KT_PAGE_WORDS) : at + i / KT_PAGE_WORDS * KT_PAGE_WORDS;
		seen += page ? page[i % KT_PAGE_WORDS] : 0;
		if (seen >= rank)
			break;
	}
	value = bucket_middle(i < KT_PCT_BUCKETS ? i : KT_PCT_BUCKETS - 1);
	return value < least ? least : value > most ? most : value;
}

kt_s64 kt_stat_get(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_u32 op, kt_s64 param)
{
	kt_s64 sum;

	if (!s || !s[0]) {
		if (op != KT_OP_COUNT && op != KT_OP_SUM)
			kt_error(c, empty);
		return 0;
	}
	switch ((enum kt_stat_op)op) {
	case KT_OP_COUNT:
		return s[0];
	case KT_OP_SUM:
		return s[word_of(t, KT_STAT_SUM)];
	case KT_OP_MIN:
		return s[word_of(t, KT_STAT_MIN)];
	case KT_OP_MAX:
		return s[word_of(t, KT_STAT_MAX)];
	case KT_OP_AVG:
		sum = s[word_of(t, KT_STAT_SUM)];
		return sum / s[0];
	case KT_OP_VARIANCE:
		return variance(s, t);
	case KT_OP_PCT:
		return percentile(c, s, t, param);
	}
	return 0;
}

/* ---- histograms ---- */

/* The part of a histogram that is shown, and its width. */
struct hist_view {
	const kt_s64 *bucket;
	const struct kt_stat_type *t;
	kt_u32 first, last; /* rows */
	kt_u32 label_width, count_width;
	kt_u64 most;        /* hits of the longest bar */
};

static kt_u32 label(char *to, const struct kt_stat_type *t, kt_u32 row)
{
	struct kt_arg arg = { .string = NULL };
	const char *format = "%d";

	if (t->hist == KT_HIST_LOG) {
		if (row > KT_LOG_ZERO)
			arg.number = (kt_s64)1 << (row - KT_LOG_ZERO - 1);
		else if (row < KT_LOG_ZERO)
			arg.number = (kt_s64)-((kt_u64)1 << (KT_LOG_ZERO - 1 - row));
	} else if (row == 0) {
		format = "<%d";
		arg.number = t->lo;
	} else if (row == t->buckets - 1) {
		format = ">%d";
		arg.number = t->hi;
	} else {
		arg.number = (kt_s64)((kt_u64)t->lo + (kt_u64)(row - 1) * (kt_u64)t->step);
	}
	return kt_format(to, LABEL_MAX, format, &arg, 1);
}

/* Whether ROW may be a margin: not what is outside a linear histogram's range, nor what is below zero when no value
 * of a logarithmic one is. */
static int is_margin(const struct kt_stat_type *t, kt_u32 row, kt_u32 first)
{
	if (t->hist == KT_HIST_LOG)
		return row >= KT_LOG_ZERO || first < KT_LOG_ZERO;
	return row > 0 && row < t->buckets - 1;
}

static void hist_view(struct hist_view *v, const kt_s64 *s, const struct kt_stat_type *t)
{
	kt_u64 most = 0;
	char text[LABEL_MAX];
	struct kt_arg arg = { .string = NULL };

	*v = (struct hist_view){ .bucket = s + KT_STAT_HIST_AT(t->fields), .t = t, .first = t->buckets };
	for (kt_u32 row = 0; row < t->buckets; row++) {
		if (!v->bucket[row])
			continue;
		if (v->first == t->buckets)
			v->first = row;
		v->last = row;
		if ((kt_u64)v->bucket[row] > most)
			most = v->bucket[row];
	}
	for (kt_s32 i = 0; i < (t->margin < 0 ? KT_HIST_MARGIN : t->margin); i++) {
		if (v->first > 0 && is_margin(t, v->first - 1, v->first))
			v->first--;
		if (v->last + 1 < t->buckets && is_margin(t, v->last + 1, v->first))
			v->last++;
	}
	v->label_width = LABEL_WIDTH;
	for (kt_u32 row = v->first; row <= v->last; row++) {
		kt_u32 width = label(text, t, row);

		if (width > v->label_width)
			v->label_width = width;
	}
	arg.number = most;
	v->count_width = kt_format(text, sizeof(text), "%d", &arg, 1);
	v->most = most;
}

/* Returns the characters of the bar that stands for HITS. With full bars each hit is visible. */
static kt_u32 bar_length(const struct hist_view *v, kt_u64 hits)
{
	kt_u32 length;

	if (!v->t->full_bars || v->most > ~0ull / HIST_WIDTH)
		return hits / (v->most / HIST_WIDTH + (v->most % HIST_WIDTH != 0));
	length = hits * HIST_WIDTH / v->most;
	return length || !hits ? length : 1;
}

/* Far from every row that holds something. */
static int is_elided(const struct hist_view *v, kt_u32 row)
{
	kt_u32 margin = (kt_u32)v->t->margin, from = row > margin ? row - margin : 0;

	if (v->t->margin < 0)
		return 0;
	for (kt_u32 i = from; i <= row + margin && i < v->t->buckets; i++) {
		if (v->bucket[i])
			return 0;
	}
	return 1;
}

static void out_text(struct kt_out *o, const char *s)
{
	while (*s)
		kt_out_char(o, *s++);
}

/* S, right-aligned. */
static void out_right(struct kt_out *o, const char *s, kt_u32 width)
{
	kt_out_fill(o, ' ', (kt_s64)width - kt_strlen(s));
	out_text(o, s);
}

static void hist_out(struct kt_out *o, const struct hist_view *v)
{
	int in_gap = 0;

	out_right(o, "value", v->label_width);
	out_text(o, " |");
	kt_out_fill(o, '-', HIST_WIDTH);
	out_text(o, " count\n");
	for (kt_u32 row = v->first; row <= v->last; row++) {
		char text[LABEL_MAX];
		struct kt_arg count = { .number = v->bucket[row] };
		kt_u32 bar = bar_length(v, v->bucket[row]);

		if (is_elided(v, row)) {
			if (!in_gap) {
				kt_out_fill(o, ' ', v->label_width + 1);
				out_text(o, "~\n");
			}
			in_gap = 1;
			continue;
		}
		in_gap = 0;
		label(text, v->t, row);
		out_right(o, text, v->label_width);
		out_text(o, " |");
		kt_out_fill(o, '@', bar);
		kt_out_fill(o, ' ', (kt_s64)HIST_WIDTH - bar + 1);
		kt_format(text, sizeof(text), "%d", &count, 1);
		out_right(o, text, v->count_width);
		kt_out_char(o, '\n');
	}
	kt_out_char(o, '\n');
}

kt_s64 kt_hist_bucket(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_s64 i)
{
	if (i < 0 || i >= t->buckets) {
		kt_errorf(c, "histogram index out of range: %d is not in 0 to %d", i, (kt_s64)t->buckets - 1);
		return 0;
	}
	return s ? s[KT_STAT_HIST_AT(t->fields) + i] : 0;
}

/* Fills the view; false and an error raised when there is nothing to show. */
static int hist_start(struct kt_ctx *c, struct hist_view *v, const kt_s64 *s, const struct kt_stat_type *t)
{
	if (!s || !s[0]) {
		kt_error(c, empty);
		return 0;
	}
	hist_view(v, s, t);
	return 1;
}

void kt_hist_print(struct kt_ctx *c, const kt_s64 *s, const struct kt_stat_type *t, kt_u32 number)
{
	struct kt_out o = { NULL, 0, 0 };
	struct hist_view v;
	char *record;
	kt_u32 len;

	if (!hist_start(c, &v, s, t))
		return;
	hist_out(&o, &v); /* to learn its length */
	len = o.len;
	record = kt_reserve(c, KT_REC_PRINT, number, kt_string_room(len));
	if (!record)
		return;
	*(kt_u32 *)record = len;
	/* len + 1: kt_out keeps a byte for the NUL, which is not written here. */
	o = (struct kt_out){ record + KT_STRING_HEADER, len + 1, 0 };
	hist_out(&o, &v);
	memset(record + KT_STRING_HEADER + len, 0, kt_string_room(len) - KT_STRING_HEADER - len);
	kt_commit(c);
}

void kt_hist_sprint(struct kt_ctx *c, char *ret, kt_u32 size, const kt_s64 *s, const struct kt_stat_type *t)
{
	struct kt_out o = { ret, size, 0 };
	struct hist_view v;

	ret[0] = 0;
	if (!hist_start(c, &v, s, t))
		return;
	hist_out(&o, &v);
	kt_out_finish(&o);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/stat.c: fields, variance, percentiles, merging, and histograms byte for byte. */
#include "runtime/core/core.h"
#include "runtime/core/stat.h"
#include "testsuite/unit/port.h"
#include "testsuite/unit/tap.h"

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;

enum { ALL = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_MIN | KT_STAT_MAX | KT_STAT_VAR | KT_STAT_PCT };

static const struct kt_stat_type t_all = {
	.fields = ALL, .pct_bits = KT_PCT_BITS_SCALAR, .words = KT_STAT_WORDS(ALL, 0, KT_PCT_BITS_SCALAR),
};
static const struct kt_stat_type t_log = {
	.fields = KT_STAT_COUNT | KT_STAT_HIST, .hist = KT_HIST_LOG, .margin = KT_HIST_MARGIN, .buckets = KT_LOG_BUCKETS,
	.words = KT_STAT_WORDS(KT_STAT_COUNT | KT_STAT_HIST, KT_LOG_BUCKETS, 0),
};
static const struct kt_stat_type t_full = {
	.fields = KT_STAT_COUNT | KT_STAT_HIST, .hist = KT_HIST_LOG, .margin = 0, .buckets = KT_LOG_BUCKETS, .full_bars = 1,
	.words = KT_STAT_WORDS(KT_STAT_COUNT | KT_STAT_HIST, KT_LOG_BUCKETS, 0),
};
#define LINEAR(from, to, by) {                                                                         \
	.fields = KT_STAT_COUNT | KT_STAT_HIST, .hist = KT_HIST_LINEAR, .margin = KT_HIST_MARGIN, .lo = (from), .hi = (to),       \
	.step = (by), .buckets = KT_LINEAR_BUCKETS(from, to, by),                                       \
	.words = KT_STAT_WORDS(KT_STAT_COUNT | KT_STAT_HIST, KT_LINEAR_BUCKETS(from, to, by), 0), }

static kt_s64 s[2048];
#define GET(op, param) kt_stat_get(c, s, &t_all, op, param)
#define LINE "|-------------------------------------------------- count\n"

static void values(void)
{
	static const kt_s64 v[] = { 5, -3, 12, 7, 7 };

	memset(s, 0, sizeof(s));
	is_int(GET(KT_OP_COUNT, 0), 0, "@count of nothing");
	is_int(GET(KT_OP_SUM, 0), 0, "@sum of nothing");
	ok(!c->error, "no error");
	for (kt_u32 op = KT_OP_MIN; op <= KT_OP_PCT; op++) {
		GET(op, 50);
		is_str(c->error ? c->error : "", "empty aggregate", "the others");
		c->error = NULL;
	}
	is_int(kt_stat_get(c, NULL, &t_all, KT_OP_COUNT, 0), 0, "@count of an absent element");
	for (int i = 0; i < 5; i++)
		kt_stat_add(s, &t_all, v[i]);
	is_int(GET(KT_OP_COUNT, 0), 5, "@count");
	is_int(GET(KT_OP_SUM, 0), 28, "@sum");
	is_int(GET(KT_OP_MIN, 0), -3, "@min");
	is_int(GET(KT_OP_MAX, 0), 12, "@max");
	is_int(GET(KT_OP_AVG, 0), 5, "@avg");
	is_int(GET(KT_OP_VARIANCE, 0), 29, "@variance"); /* 119.2 / 4 */
	is_int(GET(KT_OP_PCT, 50), 7, "@p50");
	is_int(GET(KT_OP_PCT, 0), -3, "@p0");
	is_int(GET(KT_OP_PCT, 100), 12, "@p100");
	is_int(GET(KT_OP_PCT, 20), -3, "@p20");
	is_int(GET(KT_OP_PCT, 21), 5, "@p21");
}

static kt_s64 variance_of(const kt_s64 *v, int n)
{
	memset(s, 0, sizeof(s));
	for (int i = 0; i < n; i++)
		kt_stat_add(s, &t_all, v[i]);
	return GET(KT_OP_VARIANCE, 0);
}

static void variances(void)
{
	const kt_s64 least = -0x7fffffffffffffffll - 1;

	is_int(variance_of((kt_s64[]){ 9 }, 1), 0, "@variance of one");
	is_int(variance_of((kt_s64[]){ -1, -2 }, 2), 0, "@variance rounds down");
	is_int(variance_of((kt_s64[]){ -5, -5, -5 }, 3), 0, "@variance of equals below zero");
	is_int(variance_of((kt_s64[]){ 1000000000, 1000000010, 1000000020 }, 3), 100, "@variance far from zero");
	is_int(variance_of((kt_s64[]){ -1000000000, -1000000010, -1000000021 }, 3), 110, "@variance far below zero");
	is_int(variance_of((kt_s64[]){ 0, 4000000000 }, 2), 8000000000000000000, "@variance of billions");
	is_int(variance_of((kt_s64[]){ least, -(least + 1) }, 2), -(least + 1), "@variance saturates");
	is_int(variance_of((kt_s64[]){ least, least }, 2), 0, "@variance of the least");
}

static void random_values(void)
{
	kt_u64 x = 1;
	double sum = 0, squares = 0;
	static kt_s64 sorted[1000];

	memset(s, 0, sizeof(s));
	for (int i = 0; i < 1000; i++) {
		int at = i;

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		kt_s64 v = (kt_s64)(x >> 33) - (1ll << 30);
		kt_stat_add(s, &t_all, v);
		sum += v;
		squares += (double)v * v;
		for (; at > 0 && sorted[at - 1] > v; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = v;
	}
	double want = (squares - sum * sum / 1000) / 999, got = GET(KT_OP_VARIANCE, 0);

	ok(got > want * 0.999999 && got < want * 1.000001, "@variance of 1,000");
	for (int p = 1; p < 100; p++) {
		kt_s64 real = sorted[(1000 * p + 99) / 100 - 1], found = GET(KT_OP_PCT, p);
		double error = (double)(found - real) / (real ? real : 1);

		ok(error <= 1 / 32. && error >= -1 / 32., "@p%d is within 1/32", p);
	}
}

static void buckets(void)
{
	kt_u32 before = kt_pct_bucket(-0x7fffffffffffffffll - 1);
	int good = before == 0;

	for (int k = 62; k >= 0; k--) {
		kt_u32 at = kt_pct_bucket(-(1ll << k));

		good = good && at >= before;
		before = at;
	}
	for (int k = 0; k < 63; k++) {
		kt_u32 at = kt_pct_bucket(1ll << k);

		good = good && at > before;
		before = at;
	}
	ok(good && kt_pct_bucket(0x7fffffffffffffffll) == KT_PCT_BUCKETS - 1, "percentile buckets rise");
	is_int(kt_log_bucket(0), 64, "log bucket of 0");
	is_int(kt_log_bucket(1), 65, "of 1");
	is_int(kt_log_bucket(-1), 63, "of -1");
	is_int(kt_log_bucket(0x7fffffffffffffffll), 127, "of the greatest");
	is_int(kt_log_bucket(-0x7fffffffffffffffll - 1), 0, "of the least");
}

static void merging(void)
{
	for (kt_u32 cpu = 0; cpu < kt_n_cpus(); cpu++) {
		char *area = kt_cpu_area(cpu);

		if (area && cpu)
			kt_stat_add((kt_s64 *)(area + 64), &t_all, 10 * (int)cpu);
	}
	kt_stat_collect(s, &t_all, 64);
	is_int(GET(KT_OP_COUNT, 0), 2, "collected @count");
	is_int(GET(KT_OP_MIN, 0), 20, "collected @min: an idle CPU does not matter");
	is_int(GET(KT_OP_MAX, 0), 30, "collected @max");
	is_int(GET(KT_OP_VARIANCE, 0), 50, "collected @variance");
	is_int(GET(KT_OP_PCT, 90), 30, "collected @p90");
}

static void is_hist(const struct kt_stat_type *t, const char *want, const char *what)
{
	static char b[20000];

	kt_hist_sprint(c, b, sizeof(b), s, t);
	is_str(b, want, what);
	kt_hist_print(c, s, t, 0);
	is_int(*(kt_u32 *)port_record, strlen(want), "length in the record");
	ok(!memcmp(port_record + 4, want, strlen(want)), "text in the record");
	is_int(port_record_size, kt_string_room(strlen(want)), "size of the record");
}

static void add(const struct kt_stat_type *t, kt_s64 v, int times)
{
	while (times--)
		kt_stat_add(s, t, v);
}

static void log_histograms(void)
{
	memset(s, 0, sizeof(s));
	kt_hist_print(c, s, &t_log, 0);
	is_str(c->error, "empty aggregate", "an empty histogram");
	c->error = NULL;
	add(&t_log, -1, 1);
	add(&t_log, 1, 1);
	is_hist(&t_log, "value " LINE
		"   -4 |                                                   0\n"
		"   -2 |                                                   0\n"
		"   -1 |@                                                  1\n"
		"    0 |                                                   0\n"
		"    1 |@                                                  1\n"
		"    2 |                                                   0\n"
		"    4 |                                                   0\n\n", "log: around zero");
	is_int(kt_hist_bucket(c, s, &t_log, 63), 1, "bucket 63");
	is_int(kt_hist_bucket(c, s, &t_log, 64), 0, "bucket 64");
	kt_hist_bucket(c, s, &t_log, 128);
	is_str(c->error, "histogram index out of range: 128 is not in 0 to 127", "bucket 128");
	c->error = NULL;
	memset(s, 0, sizeof(s));
	add(&t_log, 0x7fffffffffffffffll, 1);
	is_hist(&t_log, "              value " LINE
		"1152921504606846976 |                                                   0\n"
		"2305843009213693952 |                                                   0\n"
		"4611686018427387904 |@                                                  1\n\n", "log: the greatest");
	memset(s, 0, sizeof(s));
	add(&t_log, -4096, 1);
	add(&t_log, -2, 1);
	is_hist(&t_log, " value " LINE
		"-16384 |                                                   0\n"
		" -8192 |                                                   0\n"
		" -4096 |@                                                  1\n"
		" -2048 |                                                   0\n"
		" -1024 |                                                   0\n"
		"       ~\n"
		"    -8 |                                                   0\n"
		"    -4 |                                                   0\n"
		"    -2 |@                                                  1\n"
		"    -1 |                                                   0\n"
		"     0 |                                                   0\n\n", "log: elided rows");
	memset(s, 0, sizeof(s));
	for (int i = 0; i < 128; i++)
		add(&t_log, i, 1);
	is_hist(&t_log, "value " LINE
		"    0 |                                                    1\n"
		"    1 |                                                    1\n"
		"    2 |@                                                   2\n"
		"    4 |@@                                                  4\n"
		"    8 |@@@@                                                8\n"
		"   16 |@@@@@@@@                                           16\n"
		"   32 |@@@@@@@@@@@@@@@@                                   32\n"
		"   64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                   64\n"
		"  128 |                                                    0\n"
		"  256 |                                                    0\n\n", "log: 0 to 127");
}

static void full_bars(void)
{
	memset(s, 0, sizeof(s));
	add(&t_full, 1, 2);
	add(&t_full, 2, 1);
	is_hist(&t_full, "value " LINE
		"    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2\n"
		"    2 |@@@@@@@@@@@@@@@@@@@@@@@@@                          1\n\n", "full bars: few hits");
	memset(s, 0, sizeof(s));
	add(&t_full, 1, 99);
	add(&t_full, 2, 1);
	add(&t_full, 4, 2);
	is_hist(&t_full, "value " LINE
		"    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 99\n"
		"    2 |@                                                   1\n"
		"    4 |@                                                   2\n\n", "full bars: one hit is visible");
	s[KT_STAT_HIST_AT(t_full.fields) + KT_LOG_ZERO + 1] = 0x7fffffffffffffffll;
	is_hist(&t_full, "value " LINE
		"    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  9223372036854775807\n"
		"    2 |                                                                     1\n"
		"    4 |                                                                     2\n\n", "full bars: no overflow");
}

static void linear_histograms(void)
{
	static const struct kt_stat_type over = LINEAR(0, 100, 10), both = LINEAR(250, 1000, 50),
		under = LINEAR(1800, 5000, 100), large = LINEAR(-1000000000, 0, 100000000),
		gap = LINEAR(0, 1500, 50);

	memset(s, 0, sizeof(s));
	add(&over, 1000, 9000);
	is_hist(&over, "value " LINE
		"   90 |                                                      0\n"
		"  100 |                                                      0\n"
		" >100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 9000\n\n", "linear: all above");
	memset(s, 0, sizeof(s));
	add(&under, 3, 100);
	is_hist(&under, "value " LINE
		"<1800 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 100\n"
		" 1800 |                                                     0\n"
		" 1900 |                                                     0\n\n", "linear: all below");
	memset(s, 0, sizeof(s));
	add(&both, 0, 680);
	add(&both, 299, 94);
	add(&both, 300, 79);
	add(&both, 1049, 23);
	add(&both, 1050, 102);
	is_hist(&both, "value " LINE
		" <250 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   680\n"
		"  250 |@@@@@@                                              94\n"
		"  300 |@@@@@                                               79\n"
		"  350 |                                                     0\n"
		"  400 |                                                     0\n"
		"      ~\n"
		"  900 |                                                     0\n"
		"  950 |                                                     0\n"
		" 1000 |@                                                   23\n"
		">1000 |@@@@@@@                                            102\n\n", "linear: both sides");
	memset(s, 0, sizeof(s));
	add(&large, -10000000000, 1);
	add(&large, 0, 1);
	is_hist(&large, "       value " LINE
		"<-1000000000 |@                                                  1\n"
		" -1000000000 |                                                   0\n"
		"  -900000000 |                                                   0\n"
		"             ~\n"
		"  -200000000 |                                                   0\n"
		"  -100000000 |                                                   0\n"
		"           0 |@                                                  1\n\n", "linear: long labels");
	memset(s, 0, sizeof(s));
	add(&gap, 1450, 1);
	is_hist(&gap, "value " LINE
		" 1350 |                                                   0\n"
		" 1400 |                                                   0\n"
		" 1450 |@                                                  1\n"
		" 1500 |                                                   0\n\n", "linear: near the end");
}

int main(void)
{
	values();
	variances();
	random_values();
	buckets();
	merging();
	log_histograms();
	full_bars();
	linear_histograms();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -t: the aggregate of the cycles of one handler, which kit and process keep each in their own way. */
#ifndef KT_CORE_TIMING_H
#define KT_CORE_TIMING_H

#include "../script.h"

enum {
	KT_TIMING_FIELDS = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_MIN | KT_STAT_MAX | KT_STAT_VAR,
	KT_TIMING_WORDS = KT_STAT_WORDS(KT_TIMING_FIELDS, 0, 0),
};

static const struct kt_stat_type kt_timing_type = { .fields = KT_TIMING_FIELDS, .words = KT_TIMING_WORDS };

/* Adds a hit that began at cycle BEGIN and ends at END. A handler that slept may end on another CPU, whose counter may be
 * behind: it took no time then. */
static inline void kt_timing_add(kt_s64 *words, kt_u64 begin, kt_u64 end)
{
	kt_stat_add(words, &kt_timing_type, (kt_s64)(end - begin) < 0 ? 0 : (kt_s64)(end - begin));
}

/* Sets in S what WORDS hold. */
static inline void kt_timing_get(struct kt_probe_status *s, const kt_s64 *words)
{
	s->hits = (kt_u64)words[0];
	if (!s->hits) /* and nothing below can raise an error, for which a context would be needed */
		return;
	s->total = (kt_u64)kt_stat_get(NULL, words, &kt_timing_type, KT_OP_SUM, 0);
	s->min = (kt_u64)kt_stat_get(NULL, words, &kt_timing_type, KT_OP_MIN, 0);
	s->max = (kt_u64)kt_stat_get(NULL, words, &kt_timing_type, KT_OP_MAX, 0);
	s->variance = (kt_u64)kt_stat_get(NULL, words, &kt_timing_type, KT_OP_VARIANCE, 0);
}

/* A line of the report: the point, its origin's two parts (see kt_script.origins), the numbers, the probe's index. SystemTap's
 * own form: people have scripts that read it. */
#define KT_TIMING_HEAD "----- probe hit report: \n"
#define KT_TIMING_LINE "%s, (%.*s), hits: %llu, cycles: %llumin/%lluavg/%llumax, variance: %llu,%s, index: %u\n"
#define KT_TIMING_ARGS(pp, origin, s)                                                                  \
	(pp), (int)strcspn((origin), "\n"), (origin), (s)->hits, (s)->min, (s)->total / (s)->hits, (s)->max, \
	(s)->variance, (origin) + strcspn((origin), "\n") + !!(origin)[strcspn((origin), "\n")], (s)->index

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family timer: handlers at intervals: timer.UNIT(N), timer.hz(N), timer.jiffies(N), each with .randomize(M) where the
 * unit is a time. An interval is kept in nanoseconds. Jiffies are those of the target kernel's CONFIG_HZ.
 */
#include "translator/probe/probe.h"

#include <stdlib.h>

#include "translator/debuginfo/target.h"

struct timer {
	uint64_t interval; /* ns */
	uint64_t random;   /* ns, less than interval */
};

/* Ids of the patterns. */
enum unit { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS, UNIT_JIFFIES, UNIT_HZ };

static const uint64_t unit_ns[] = {
	[UNIT_S] = 1000000000,
	[UNIT_MS] = 1000000,
	[UNIT_US] = 1000,
	[UNIT_NS] = 1,
};

/* About 146 years: sums with a random part do not overflow. */
static const uint64_t interval_max = 1ull << 62;
enum {
	INTERVAL_MIN = 10000, /* ns: a timer that fires again before its handler has ended never lets go of the CPU */
	JIFFIES_MAX = 1000000,
	HZ_MAX = 1000000000,
};

#define TIMER_PATTERNS(name, unit) \
	{ "timer." name "(number)", unit }, { "timer." name "(number).randomize(number)", unit }

static const struct probe_pattern patterns[] = {
	TIMER_PATTERNS("s", UNIT_S),
	TIMER_PATTERNS("sec", UNIT_S),
	TIMER_PATTERNS("ms", UNIT_MS),
	TIMER_PATTERNS("msec", UNIT_MS),
	TIMER_PATTERNS("us", UNIT_US),
	TIMER_PATTERNS("usec", UNIT_US),
	TIMER_PATTERNS("ns", UNIT_NS),
	TIMER_PATTERNS("nsec", UNIT_NS),
	TIMER_PATTERNS("jiffies", UNIT_JIFFIES),
	{ "timer.hz(number)", UNIT_HZ },
	{ NULL, 0 },
};

/* Nanoseconds of one jiffy of the target kernel; 0: reported. */
static uint64_t jiffy_ns(const struct resolve *r)
{
	const struct kernel *k = kernel_find(r->program->reports, r->program->platform.release);
	long hz = k ? kernel_hz(k) : 0;

	if (!k)
		return 0;
	if (hz <= 0) {
		error(r->point->loc, DIAG_PROBE_POINT,
		      "timer.jiffies needs CONFIG_HZ, which the configuration of kernel %s does not tell",
		      k->release);
		note(r->point->loc, "use timer.ms, or install /boot/config-%s", k->release);
		return 0;
	}
	return 1000000000 / (uint64_t)hz;
}

/* Reports the range; the same words for all units. */
static bool bad_argument(const struct node *arg, const char *what, long long low, unsigned long long high)
{
	return error(arg->loc, DIAG_PROBE_ARG, "%s is %lld, expected %lld to %llu", what, arg->num, low,
		     high);
}

/* Raises intervals that are too short, those with the random part too. N: the argument. */
static void keep_above_least(const struct node *n, struct timer *timer)
{
	uint64_t random_max;

	if (timer->interval < INTERVAL_MIN) {
		warning(n->loc, DIAG_PROBE_ARG, "the interval is %llu ns; the shortest possible one, %d ns, is used",
			(unsigned long long)timer->interval, INTERVAL_MIN);
		timer->interval = INTERVAL_MIN;
	}
	random_max = timer->interval - INTERVAL_MIN;
	timer->random = timer->random < random_max ? timer->random : random_max;
}

static bool resolve(struct resolve *r)
{
	struct timer *timer = arena_new(&program_arena, struct timer);
	const struct node *n = probe_arg(r->point, 1), *m = probe_arg(r->point, 2);
	uint64_t unit = 0, max;

	switch ((enum unit)r->pattern->id) {
	case UNIT_HZ:
		if (n->num < 1 || n->num > HZ_MAX)
			return bad_argument(n, "the frequency", 1, HZ_MAX);
		timer->interval = 1000000000 / (uint64_t)n->num;
		break;
	case UNIT_JIFFIES:
		if (n->num < 1 || n->num > JIFFIES_MAX)
			return bad_argument(n, "the interval", 1, JIFFIES_MAX);
		unit = jiffy_ns(r);
		if (!unit)
			return false;
		timer->interval = (uint64_t)n->num * unit;
		break;
	case UNIT_S:
	case UNIT_MS:
	case UNIT_US:
	case UNIT_NS:
		unit = unit_ns[r->pattern->id];
		max = interval_max / unit;
		if (n->num < 1 || (uint64_t)n->num > max)
			return bad_argument(n, "the interval", 1, max);
		timer->interval = (uint64_t)n->num * unit;
		break;
	}
	if (m) {
		if (m->num < 0 || m->num > n->num)
			return bad_argument(m, "the random part", 0, (unsigned long long)n->num);
		timer->random = (uint64_t)m->num * unit;
	}
	keep_above_least(n, timer);
	probe_add(r, &probe_family_timer, probe_point_text(r->point), timer);
	return true;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct timer *timer = pr->data;

	text_printf(t, "{ .probe = %d, .interval = %lluULL, .random = %lluULL },", pr->index,
		    (unsigned long long)timer->interval, (unsigned long long)timer->random);
}

static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct timer *timer = pr->data;

	*ret = (struct probe_attach){ .kind = IMAGE_COLD, .interval = timer->interval, .random = timer->random };
	return true;
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct timer *timer = pr->data;

	text_printf(t, "every %llu ns", (unsigned long long)timer->interval);
	if (timer->random)
		text_printf(t, " +- %llu ns", (unsigned long long)timer->random);
}

const struct probe_family probe_family_timer = {
	.name = "timer",
	.id = KT_FAMILY_TIMER,
	.patterns = patterns,
	.user_runtime = true,
	.resolve = resolve,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
};

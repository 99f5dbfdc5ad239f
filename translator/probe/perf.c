/* Family perf: samples of what each CPU does, every so many events of a kind, or so many times a second.
 *
 *	timer.profile, timer.profile.tick         on every CPU at each tick of the kernel's clock
 *	timer.profile.freq.hz(N)                  the same, N times a second
 *	perf.type(T).config(C)[.sample(N)|.hz(N)] the kernel's perf events by their numbers; perf.hw.* and the like are aliases
 *
 * The handler has the registers of the code that was interrupted: in the kernel or in a program.
 */
#include "translator/probe/probe.h"

enum variant {
	PERF_TICK,
	PERF_CLOCK,
	PERF_COUNT,
	PERF_RATE,
};

enum {
	SAMPLE_DEFAULT = 1000000,
	RATE_MAX = 100000, /* more, and a CPU does nothing else */
};

/* Of <linux/perf_event.h>, which no ABI can change. */
enum { TYPE_SOFTWARE = 1, SOFTWARE_CPU_CLOCK = 0 };

struct perf {
	uint64_t type, config;
	uint64_t sample; /* events, or times a second; 0: ticks */
	bool is_rate;
};

static const struct probe_pattern patterns[] = {
	{ "timer.profile", PERF_TICK },
	{ "timer.profile.tick", PERF_TICK },
	{ "timer.profile.freq.hz(number)", PERF_CLOCK },
	{ "perf.type(number).config(number)", PERF_COUNT },
	{ "perf.type(number).config(number).sample(number)", PERF_COUNT },
	{ "perf.type(number).config(number).hz(number)", PERF_RATE },
	{ NULL, 0 },
};

static bool take_rate(struct perf *perf, const struct node *arg)
{
	if (arg->num < 1 || arg->num > RATE_MAX)
		return error(arg->loc, DIAG_PROBE_ARG, "the frequency is %lld, expected 1 to %d", arg->num, RATE_MAX);
	perf->is_rate = true;
	perf->sample = (uint64_t)arg->num;
	return true;
}

static bool take_event(struct perf *perf, const struct resolve *r)
{
	const struct node *type = probe_arg(r->point, 1), *config = probe_arg(r->point, 2);

	if (type->num < 0 || type->num > UINT32_MAX)
		return error(type->loc, DIAG_PROBE_ARG, "the type is %lld, expected 0 to %u", type->num, UINT32_MAX);
	perf->type = (uint64_t)type->num;
	perf->config = (uint64_t)config->num;
	perf->sample = SAMPLE_DEFAULT;
	return true;
}

static bool resolve(struct resolve *r)
{
	struct perf *perf = arena_new(&program_arena, struct perf);
	const struct node *arg = probe_arg(r->point, 3);

	perf->type = TYPE_SOFTWARE;
	perf->config = SOFTWARE_CPU_CLOCK;
	switch ((enum variant)r->pattern->id) {
	case PERF_TICK:
		break;
	case PERF_CLOCK:
		if (!take_rate(perf, arg))
			return false;
		break;
	case PERF_COUNT:
		if (!take_event(perf, r))
			return false;
		if (arg && arg->num < 1)
			return error(arg->loc, DIAG_PROBE_ARG, "the number of events is %lld, expected 1 or more", arg->num);
		if (arg)
			perf->sample = (uint64_t)arg->num;
		break;
	case PERF_RATE:
		if (!take_event(perf, r) || !take_rate(perf, arg))
			return false;
		break;
	}
	probe_add(r, &probe_family_perf, probe_point_text(r->point), perf);
	return true;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct perf *perf = pr->data;

	text_printf(t, "{ .probe = %d, .type = %u, .config = %#llxULL, .sample = %lluULL, .is_rate = %d },", pr->index,
		    (unsigned)perf->type, (unsigned long long)perf->config, (unsigned long long)perf->sample,
		    perf->is_rate);
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct perf *perf = pr->data;

	text_printf(t, "perf event of type %u, config %#llx, ", (unsigned)perf->type, (unsigned long long)perf->config);
	if (!perf->sample)
		text_puts(t, "at each tick");
	else
		text_printf(t, perf->is_rate ? "%llu times a second" : "every %llu events",
			    (unsigned long long)perf->sample);
}

const struct probe_family probe_family_perf = {
	.name = "perf",
	.id = KT_FAMILY_PERF,
	.patterns = patterns,
	.resolve = resolve,
	.emit_row = emit_row,
	.describe = describe,
};

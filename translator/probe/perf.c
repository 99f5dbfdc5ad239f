/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family perf: samples of what each CPU does, every so many events of a kind, or so many times a second.
 *
 *	timer.profile, timer.profile.tick         on every CPU at each tick of the kernel's clock
 *	timer.profile.freq.hz(N)                  the same, N times a second
 *	perf.type(T).config(C)[.sample(N)|.hz(N)] the kernel's perf events by their numbers; perf.hw.* and the like are aliases
 *	... .process[("path"|PID)]                the same in each thread of the processes of a program
 *	perf.type(T).config(C).counter("name")    what a CPU counts, for @perf("name")
 *	perf.type(T).config(C).process[("path"|PID)].counter("name") what such a thread counts
 *	process[("path"|PID)].data(ADDRESS|"SYMBOL")[.length(N)].write|.rw   a watchpoint is an event too; see watch.c
 *
 * The handler has the registers of the code that was interrupted: in the kernel or in a program. A counter has none.
 */
#include "translator/probe/perf.h"

#include <string.h>

#include "translator/debuginfo/target.h"
#include "translator/probe/process.h"
#include "translator/probe/watch.h"

enum variant {
	PERF_TICK,
	PERF_CLOCK,
	PERF_COUNT,
	PERF_RATE,
	PERF_READ,
	PERF_WATCH_WRITE,
	PERF_WATCH_RW,
};

enum {
	SAMPLE_DEFAULT = 1000000,
	RATE_MAX = 100000, /* more, and a CPU does nothing else */
};

/* Of <linux/perf_event.h>, which no ABI can change. */
enum { TYPE_SOFTWARE = 1, SOFTWARE_CPU_CLOCK = 0, TYPE_BREAKPOINT = 5 };

struct perf {
	uint64_t type, config;
	uint64_t sample; /* events, or times a second; 0: ticks */
	uint64_t tick;   /* ns; 0: is not known */
	bool is_rate;
	const struct process_file *file; /* NULL: on each CPU */
	const char *counter;
	unsigned number;       /* of the counter, from 1 */
	struct watch watch;
};

static const struct probe_pattern patterns[] = {
	{ "timer.profile", PERF_TICK },
	{ "timer.profile.tick", PERF_TICK },
	{ "timer.profile.freq.hz(number)", PERF_CLOCK },
#define FORMS(base, id)                           \
	{ base, id },                             \
	{ base ".process", id },                  \
	{ base ".process(string)", id },          \
	{ base ".process(number)", id }
#define EVENT "perf.type(number).config(number)"
	FORMS(EVENT, PERF_COUNT),
	FORMS(EVENT ".sample(number)", PERF_COUNT),
	FORMS(EVENT ".hz(number)", PERF_RATE),
	{ EVENT ".process.counter(string)", PERF_READ },
	{ EVENT ".process(string).counter(string)", PERF_READ },
	{ EVENT ".process(number).counter(string)", PERF_READ },
	{ EVENT ".counter(string)", PERF_READ },
#define WATCH(base) \
	{ base ".write", PERF_WATCH_WRITE }, { base ".rw", PERF_WATCH_RW }, \
	{ base ".length(number).write", PERF_WATCH_WRITE }, { base ".length(number).rw", PERF_WATCH_RW }
	WATCH("process.data(number)"),
	WATCH("process.data(string)"),
	WATCH("process(string).data(number)"),
	WATCH("process(string).data(string)"),
	WATCH("process(number).data(number)"),
	WATCH("process(number).data(string)"),
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

/* Nanoseconds of a tick of the target kernel; 0: its configuration does not tell. */
static uint64_t tick_ns(const struct resolve *r)
{
	const struct kernel *k;
	struct trial trial;
	long hz;

	/* A module needs none: the kernel knows its tick. */
	trial_begin(r->program->reports, &trial, TRIAL_DROPS);
	k = kernel_find(r->program->reports, r->program->platform.release);
	trial_end(&trial);
	hz = k ? kernel_hz(k) : 0;
	return hz > 0 ? 1000000000 / (uint64_t)hz : 0;
}

static bool fill(struct perf *perf, const struct resolve *r)
{
	const struct component *sample = process_part(r->point, "sample");
	const struct node *arg;

	perf->type = TYPE_SOFTWARE;
	perf->config = SOFTWARE_CPU_CLOCK;
	switch ((enum variant)r->pattern->id) {
	case PERF_TICK:
		perf->tick = tick_ns(r);
		return true;
	case PERF_CLOCK:
		return take_rate(perf, probe_arg(r->point, 3));
	case PERF_COUNT:
		arg = sample ? sample->arg : NULL;
		if (!take_event(perf, r))
			return false;
		if (arg && arg->num < 1)
			return error(arg->loc, DIAG_PROBE_ARG, "the number of events is %lld, expected 1 or more", arg->num);
		if (arg)
			perf->sample = (uint64_t)arg->num;
		return true;
	case PERF_RATE:
		return take_event(perf, r) && take_rate(perf, probe_arg(r->point, 3));
	case PERF_READ:
		arg = process_part(r->point, "counter")->arg;
		perf->counter = arg->text;
		if (!*arg->text)
			return error(arg->loc, DIAG_PROBE_ARG, "the counter has no name; @perf() reads it by that");
		return take_event(perf, r);
	case PERF_WATCH_WRITE:
	case PERF_WATCH_RW:
		perf->type = TYPE_BREAKPOINT;
		perf->watch.reads = r->pattern->id == PERF_WATCH_RW;
		return true;
	}
	bug("variant %d", r->pattern->id);
}

/* The files that .process() names, as process() does. */
static const struct process_file *files(const struct resolve *r, const struct component *c, bool *ret_optional)
{
	struct probe_point point = *r->point;
	struct component process = *c;
	struct resolve inner = *r;

	process.next = NULL;
	point.parts = &process;
	inner.point = &point;
	return process_files(&inner, ret_optional);
}

/* The point with the one file that is meant. */
static const char *file_pp(const struct resolve *r, const struct process_file *f)
{
	struct text t = { 0 };

	for (const struct component *c = r->point->parts; c; c = c->next) {
		text_puts(&t, t.len ? "." : "");
		if (!strcmp(c->name, "process")) {
			text_puts(&t, f->point);
			continue;
		}
		text_puts(&t, c->name);
		if (c->arg && c->arg->kind == ND_STR) {
			text_puts(&t, "(");
			text_quote(&t, c->arg->text, c->arg->text_len);
			text_puts(&t, ")");
		} else if (c->arg) {
			text_printf(&t, "(%lld)", c->arg->num);
		}
	}
	return text_keep(&t);
}

static bool resolve(struct resolve *r)
{
	struct perf *perf = arena_new(&program_arena, struct perf), *one;
	const struct component *process = process_part(r->point, "process");
	bool optional = false;

	if (!fill(perf, r))
		return false;
	if (!process) {
		probe_add(r, &probe_family_perf, probe_point_text(r->point), perf);
		return true;
	}
	perf->file = files(r, process, &optional);
	for (const struct process_file *f = perf->file; f; f = f->next) {
		one = arena_new(&program_arena, struct perf);
		*one = *perf;
		one->file = f;
		if (perf->type == TYPE_BREAKPOINT && !process_watch(r, f, &one->watch))
			return r->point->optional;
		probe_add(r, &probe_family_perf, file_pp(r, f), one);
	}
	return perf->file || optional;
}

const struct watch *perf_watch(const struct probe *pr)
{
	const struct perf *perf = pr->data;

	return pr->family == &probe_family_perf && perf->watch.length ? &perf->watch : NULL;
}

const char *perf_counter(const struct probe *pr)
{
	return pr->family == &probe_family_perf ? ((const struct perf *)pr->data)->counter : NULL;
}

void perf_set_number(struct probe *pr, unsigned number)
{
	((struct perf *)pr->data)->number = number;
}

bool perf_counts_cpu(const struct probe *pr)
{
	return !((const struct perf *)pr->data)->file;
}

unsigned perf_number(const struct probe *pr)
{
	return ((const struct perf *)pr->data)->number;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct perf *perf = pr->data;

	text_printf(t, "{ .probe = %d, .type = %u, .config = %#llxULL, .sample = %lluULL, .is_rate = %d", pr->index,
		    (unsigned)perf->type, (unsigned long long)perf->config, (unsigned long long)perf->sample,
		    perf->is_rate);
	if (perf->counter)
		text_printf(t, ", .counter = %u", perf->number);
	if (perf->watch.length)
		text_printf(t, ", .watch = %#llxULL, .code = %#llxULL, .length = %u, .reads = %d",
			    (unsigned long long)perf->watch.address, (unsigned long long)perf->watch.code, perf->watch.length,
			    perf->watch.reads);
	if (perf->file) {
		text_puts(t, ", .path = ");
		text_quote(t, perf->file->path, strlen(perf->file->path));
		text_printf(t, ", .pid = %d", perf->file->pid);
	}
	text_puts(t, " },");
}

static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct perf *perf = pr->data;
	uint64_t period = perf->sample ? perf->sample : perf->tick;

	*ret = (struct probe_attach){ .kind = IMAGE_PERF, .how = (int)perf->type, .address = perf->config,
				      .interval = perf->is_rate ? 0 : period, .rate = perf->is_rate ? (unsigned)perf->sample : 0 };
	if (perf->counter)
		ret->refused = "a counter of events";
	else if (perf->file)
		ret->refused = "a perf event of a program";
	else if (!period)
		ret->refused = "a tick of a kernel whose configuration does not tell CONFIG_HZ";
	return !ret->refused;
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct perf *perf = pr->data;

	if (perf->watch.length) {
		watch_describe(t, &perf->watch);
		text_printf(t, " in each thread of %s", perf->file->path);
		return;
	}
	text_printf(t, "perf event of type %u, config %#llx, ", (unsigned)perf->type, (unsigned long long)perf->config);
	if (perf->counter)
		text_puts(t, "counted");
	else if (!perf->sample)
		text_puts(t, "at each tick");
	else
		text_printf(t, perf->is_rate ? "%llu times a second" : "every %llu events",
			    (unsigned long long)perf->sample);
	if (perf->file)
		text_printf(t, " in each thread of %s", perf->file->path);
}

const struct probe_family probe_family_perf = {
	.name = "perf",
	.id = KT_FAMILY_PERF,
	.in_programs = true,
	.patterns = patterns,
	.resolve = resolve,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
};

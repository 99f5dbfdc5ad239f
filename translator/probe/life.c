/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family life: probes on the session itself: begin, end, error, each with an optional priority, and never.
 *
 * begin probes run before any other probe is armed, end probes after all are disarmed, error probes instead of end
 * probes when the session failed; lower priorities first. `never` is checked like any probe and has no row.
 */
#include "translator/probe/probe.h"

#include <stdint.h>

enum { NEVER = 16 }; /* beside enum kt_life in the patterns' ids */

struct life {
	int when;
	long long priority;
};

static const struct probe_pattern patterns[] = {
	{ "begin", KT_LIFE_BEGIN },         { "begin(number)", KT_LIFE_BEGIN },
	{ "end", KT_LIFE_END },             { "end(number)", KT_LIFE_END },
	{ "error", KT_LIFE_ERROR },         { "error(number)", KT_LIFE_ERROR },
	{ "never", NEVER },                 { NULL, 0 },
};

static bool resolve(struct resolve *r)
{
	struct life *life = arena_new(&program_arena, struct life);
	const struct node *arg = probe_arg(r->point, 0);

	life->when = r->pattern->id;
	life->priority = arg ? arg->num : 0;
	probe_add(r, &probe_family_life, probe_point_text(r->point), life);
	return true;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	static const char *const names[] = {
		[KT_LIFE_BEGIN] = "KT_LIFE_BEGIN",
		[KT_LIFE_END] = "KT_LIFE_END",
		[KT_LIFE_ERROR] = "KT_LIFE_ERROR",
	};
	const struct life *life = pr->data;

	if (life->when == NEVER)
		return;
	/* -2^63 has no literal in C. */
	text_printf(t, "{ .probe = %d, .when = %s, .priority = %lldLL%s },", pr->index,
		    names[life->when], life->priority == INT64_MIN ? INT64_MIN + 1 : life->priority,
		    life->priority == INT64_MIN ? " - 1" : "");
}

static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct life *life = pr->data;

	*ret = (struct probe_attach){ .kind = IMAGE_COLD, .how = life->when, .priority = life->priority, .absent = life->when == NEVER };
	return true;
}

/* Compares the priorities of A and B. Probes of equal priority keep the order of the script. */
static int compare(const struct probe *a, const struct probe *b)
{
	const struct life *x = a->data, *y = b->data;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return a->index - b->index;
}

static void describe(struct text *t, const struct probe *pr)
{
	static const char *const words[] = {
		[KT_LIFE_BEGIN] = "the start of the session",
		[KT_LIFE_END] = "the end of a session without errors",
		[KT_LIFE_ERROR] = "the end of a session by an error",
		[NEVER] = "no place: it is never armed",
	};
	const struct life *life = pr->data;

	text_puts(t, words[life->when]);
	if (life->priority)
		text_printf(t, ", priority %lld", life->priority);
}

const struct probe_family probe_family_life = {
	.name = "life",
	.id = KT_FAMILY_LIFE,
	.patterns = patterns,
	.user_runtime = true,
	.resolve = resolve,
	.emit_row = emit_row,
	.attach = attach,
	.compare = compare,
	.describe = describe,
	.attached = "the session",
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control: the command `reset` gives globals the values that they had when the begin probes were through.
 *
 * Two probes do that, written as script text and parsed, for each file that declares such globals: the last `begin` probe keeps the values of
 * numbers and strings, and session.signal("reset"), which only ktap can write, puts them back and empties arrays and aggregates. Globals that
 * change in begin, end and error probes alone are settings or tables: they stay.
 */
#include <string.h>

#include "lib/text.h"
#include "translator/sema/pass.h"
#include "translator/sema/plan.h"
#include "translator/sema/tapset.h"

static bool is_reset(const struct symbol *g)
{
	return g->written && g->plan != PLAN_READ_ONLY && g->loc.src && !g->loc.src->tapset && (!g->array || g->arity > 0);
}

/* Its value is kept, and put back. */
static bool is_kept(const struct symbol *g)
{
	return !g->array && g->type != TY_STAT;
}

/* Adds the probes of the file of FIRST, the first global that it has. */
static void put_file(struct text *t, const struct symbol *first)
{
	_cleanup_text_ struct text keep = { 0 }, back = { 0 };

	for (const struct symbol *g = first; g; g = g->next) {
		if (!is_reset(g) || g->loc.src != first->loc.src)
			continue;
		if (is_kept(g)) {
			text_printf(t, "global __begun_%s\n", g->name);
			text_printf(&keep, "__begun_%s = %s ", g->name, g->name);
			text_printf(&back, "%s = __begun_%s ", g->name, g->name);
		} else {
			text_printf(&back, "delete %s ", g->name);
		}
	}
	text_printf(t, "probe begin(9223372036854775807) { %s}\nprobe session.signal(\"reset\") { %s}\n", text_str(&keep), text_str(&back));
}

/* Is G the first global of its file that is reset? */
static bool begins_file(const struct program *p, const struct symbol *g)
{
	const struct symbol *other = p->globals;

	if (!is_reset(g))
		return false;
	while (other != g && !(is_reset(other) && other->loc.src == g->loc.src))
		other = other->next;
	return other == g;
}

/* Finds the plan of each global. Numbers of functions are marks in other files of this pass, and 0 there. */
static void find_plans(struct program *p)
{
	struct plan_state plan = { 0 };

	plan_program(&plan, p);
	for (struct function *f = p->functions; f; f = f->next)
		f->index = 0;
}

bool reset_add(struct program *p)
{
	struct probe_def *def;
	struct symbol *last = p->globals;
	struct text t = { 0 };
	bool ok;

	if (!p->output.control || p->output.list)
		return true;
	find_plans(p);
	for (struct symbol *g = p->globals; g; g = g->next) {
		if (begins_file(p, g))
			put_file(&t, g);
		last = g;
	}
	if (!t.len)
		return true;
	ok = tapset_parse_text(p, "<reset>", &t, &def);
	/* The globals that this added follow LAST. */
	for (struct symbol *g = p->globals; ok && g; g = g == last ? NULL : g->next)
		for (int i = 0; begins_file(p, g) && i < 2; i++, def = def->next) {
			def->file = g->loc.src;
			def->synthetic = true;
		}
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables as C. A scalar is a local (l->x, or the C parameter a_x when nothing writes it) or a global. A COUNTER global has two
 * faces: handlers that only count add to kt_cpu_long(); the others ("owners") hold its lock, have n_x (the sum of all
 * CPUs at the start of the handler) and see g_x + n_x.
 */
#include "translator/gen/parts.h"

#include "translator/probe/probe.h"

bool gen_is_counter(struct gen *g, const struct symbol *s)
{
	if (s->plan != PLAN_COUNTER)
		return false;
	if (g->u->probe)
		return !plan_owner(g->u->probe, g->u->uses.flags[s->index]);
	return g->plan.called_by[g->u->func->index * g->plan.n_globals + s->index] == 1;
}

const char *gen_global(struct gen *g, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	if (s->type == TY_LONG && s->plan == PLAN_COUNTER)
		return arena_printf(&program_arena, "(g%s + n%s)", name, name);
	return arena_printf(&program_arena, "g%s", name);
}

static const char *local_text(struct gen *g, const struct symbol *s)
{
	if (s->param && !s->written)
		return arena_printf(&program_arena, "a_%s", s->name);
	return arena_printf(&program_arena, "l->%s", gen_local_name(s->name));
}

const char *gen_scalar(struct gen *g, const struct symbol *s)
{
	return s->global ? gen_global(g, s) : local_text(g, s);
}

struct value gen_name(struct gen *g, const struct node *n)
{
	return (struct value){ .text = gen_scalar(g, n->sym) };
}

void gen_set_scalar(struct gen *g, const struct symbol *s, const char *text)
{
	const char *to = gen_scalar(g, s);

	if (s->type == TY_STRING)
		gen_line(g, "kt_strcpy(%s, %s, KT_STR);", to, text);
	else if (s->global && s->plan == PLAN_COUNTER)
		gen_line(g, "g%s = %s - n%s;", g->global_name[s->index], text, g->global_name[s->index]);
	else
		gen_line(g, "%s = %s;", to, text);
}

bool gen_is_map(struct gen *g, const struct symbol *s)
{
	return s->array || g->plan.boxed[s->index];
}

const char *gen_map(struct gen *g, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	return arena_printf(&program_arena, s->plan == PLAN_COUNTER ? "&m%s.total" : "&m%s", name);
}

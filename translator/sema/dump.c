/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of -p2: the program after analysis, one declaration a line. */
#include <string.h>

#include "lib/text.h"
#include "translator/sema/pass.h"
#include "translator/sema/plan.h"
#include "translator/sema/sema.h"

static const char *dump_type(enum type t)
{
	return t == TY_STAT ? "stats" : type_name(t);
}

/* name%[size]:type [key types] = value, the plan and why */
static void dump_global(struct text *t, const struct symbol *g, const struct plan_state *plan)
{
	text_printf(t, "%s%s", g->name, g->wrap ? "%" : "");
	if (g->size)
		text_printf(t, "[%lld]", g->size);
	text_printf(t, ":%s", dump_type(g->type));
	for (int i = 0; i < g->arity; i++)
		text_printf(t, "%s%s%s", i ? ", " : " [", dump_type(g->key_type[i]),
			    i == g->arity - 1 ? "]" : "");
	if (g->init) {
		text_puts(t, " = ");
		ast_print_node(t, g->init);
	}
	text_puts(t, "  /* ");
	plan_describe(t, plan, g->index);
	text_puts(t, " */\n");
}

/* Indented below what they belong to; nothing when there are none. */
static void dump_locals(struct text *t, const struct symbol *s)
{
	if (!s)
		return;
	text_puts(t, "  # locals\n");
	for (; s; s = s->next)
		text_printf(t, "  %s:%s\n", s->name, dump_type(s->type));
}

/* name:type (parameters) and what is known of it; the body with -v, as it is after removal of dead code. */
static void dump_function(struct text *t, const struct function *f, bool verbose)
{
	text_printf(t, "%s:%s (", f->name, dump_type(f->type));
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(t, "%s%s:%s", s == f->params ? "" : ", ", s->name, dump_type(s->type));
	text_printf(t, ")%s%s\n", f->kit ? " /* kit */" : "", f->pure ? " /* pure */" : "");
	dump_locals(t, f->locals);
	if (verbose && f->body) {
		ast_print_node(t, f->body);
		text_puts(t, "\n");
	}
}

/* The point of this place alone, then where it came from when it was written differently. */
static void dump_probe(struct text *t, const struct probe *pr, bool verbose, bool body)
{
	const char *written = probe_point_text(pr->written), *point = probe_point_text(pr->point);

	text_puts(t, pr->pp);
	if (pr->alias_chain)
		text_printf(t, " /* <- %s */", pr->alias_chain);
	else if (strcmp(pr->pp, point) || strcmp(pr->pp, written))
		text_printf(t, " /* <- %s */", written);
	if (pr->def->synthetic)
		text_puts(t, " /* automatic */");
	text_puts(t, "\n");
	if (verbose && pr->family->describe) {
		text_puts(t, "  # at ");
		pr->family->describe(t, pr);
		text_puts(t, "\n");
	}
	dump_locals(t, pr->locals);
	if (body) {
		ast_print_node(t, pr->body);
		text_puts(t, "\n");
	}
}

/* Probe points without a match are errors, so what is here was left out silently: others of its point remain. */
static void dump_left_out(struct text *t, const struct program *p)
{
	size_t n = 0;

	for (const struct left_out *l = p->left_out; l; l = l->next)
		n++;
	if (n)
		text_printf(t, "# left out: %zu\n", n);
	for (const struct left_out *l = p->left_out; l; l = l->next)
		text_printf(t, "%s: %s\n", l->what, l->why);
}

void sema_dump(struct text *t, struct program *p)
{
	struct plan_state plan = { 0 };
	bool plan_only = p->output.plan;
	bool verbose = (p->output.verbose > 0 || plan_only);
	const char *title = "# globals\n";

	plan_program(&plan, p);
	for (const struct symbol *g = p->globals; g; g = g->next) {
		if (g->loc.src && g->loc.src->tapset && !g->read && !g->written)
			continue;
		text_puts(t, title);
		title = "";
		dump_global(t, g, &plan);
	}
	title = "# functions\n";
	for (const struct function *f = p->functions; f; f = f->next) {
		if (!f->used)
			continue;
		text_puts(t, title);
		title = "";
		dump_function(t, f, verbose && !plan_only);
	}
	text_puts(t, "# probes\n");
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		dump_probe(t, pr, verbose, verbose && !plan_only);
	if (verbose)
		dump_left_out(t, p);
}

/* Probes that share PR's mechanism; 0 when an earlier one was counted for it. */
static int count_like(const struct program *p, const struct probe *pr)
{
	const char *mechanism = probe_mechanism(pr);
	int n = 0;

	for (const struct probe *other = p->probes; other != pr; other = other->next)
		if (!other->helper && !strcmp(probe_mechanism(other), mechanism))
			return 0;
	for (const struct probe *other = pr; other; other = other->next)
		n += !other->helper && !strcmp(probe_mechanism(other), mechanism);
	return n;
}

void sema_summary(struct text *t, const struct program *p)
{
	const char *separator = ":";
	int places = 0;

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		places += !pr->helper;
	text_printf(t, "%d place%s", places, places == 1 ? "" : "s");
	for (const struct probe *pr = p->probes; pr; pr = pr->next) {
		int n = pr->helper ? 0 : count_like(p, pr);

		if (!n)
			continue;
		text_printf(t, "%s %d by %s", separator, n, probe_mechanism(pr));
		separator = ",";
	}
	text_puts(t, "\n");
}

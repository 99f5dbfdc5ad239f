/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listings instead of a run: the points that -l and -L match, the forms of points, aliases and functions that exist.
 *
 * A listed point can be pasted into a script and means that place alone. Lines are sorted, each is printed once.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/probe/context.h"
#include "translator/sema/pass.h"
#include "translator/sema/sema.h"
#include "translator/sema/tapset.h"

/* ---- sorted lines ---- */
struct lines {
	const char **line;
	size_t n;
};

static void add_line(struct lines *l, const char *line)
{
	*vec_add(l->line, l->n) = line;
}

/* Prints them and frees the list. */
static void print_lines(struct lines *l, struct text *t)
{
	sort_rows(l->line, l->n, by_string);
	for (size_t i = 0; i < l->n; i++)
		if (!i || strcmp(l->line[i], l->line[i - 1]))
			text_printf(t, "%s\n", l->line[i]);
	free(l->line);
}

/* ---- points ---- */
/* A probe, and the point that stands for it: the alias as it was matched, or the place. */
struct listed {
	const char *point;
	const struct probe *probe;
};

static const char *listed_point(const struct probe *pr)
{
	const char *alias = probe_alias(pr);

	return alias ? alias : pr->pp;
}

static void add_variable(const char *name, const char *type, void *data)
{
	add_line(data, arena_printf(&program_arena, "$%s:%s", name, type));
}

/* "name:type" of what aliases offer, "$name:type" of what the place has. */
static struct lines variables_of(const struct probe *pr)
{
	struct lines l = { 0 };

	if (pr->alias_chain)
		for (const struct symbol *s = pr->locals; s; s = s->next)
			add_line(&l, arena_printf(&program_arena, "%s:%s", s->name, type_name(s->type)));
	context_list_probe(pr, add_variable, &l);
	return l;
}

static bool has_line(const struct lines *l, const char *line)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->line[i] && !strcmp(l->line[i], line))
			return true;
	return false;
}

/* The variables that all N places of one point have: a script that uses those compiles. */
static void print_common(struct text *t, const struct listed *places, size_t n)
{
	struct lines common = variables_of(places->probe);

	for (size_t i = 1; i < n && common.n; i++) {
		struct lines other = variables_of(places[i].probe);

		for (size_t k = 0; k < common.n; k++)
			if (common.line[k] && !has_line(&other, common.line[k]))
				common.line[k] = NULL;
		free(other.line);
	}
	for (size_t k = 0; k < common.n; k++)
		if (common.line[k])
			text_printf(t, " %s", common.line[k]);
	free(common.line);
}

/* An alias whose name begins with "_" is a tapset's own matter: a pattern lists it with -v, or if it begins so too. */
static bool is_shown(const struct program *p, const struct probe *pr)
{
	bool shown = listed_point(pr)[0] != '_' || p->output.verbose;

	for (const struct probe_point *pp = p->probe_defs->points; pp && !shown; pp = pp->next)
		shown = pp->parts->name[0] == '_';
	return shown;
}

/* Probes of -E are not what -l was asked for; its own point is the first definition. */
static bool is_listed(const struct program *p, const struct probe *pr)
{
	return !pr->helper && pr->def == p->probe_defs && is_shown(p, pr);
}

static void print_points(struct text *t, const struct program *p)
{
	struct listed *all;
	size_t n = 0, i = 0, same;

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		n += is_listed(p, pr);
	all = xmalloc((n + 1) * sizeof(*all));
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		if (is_listed(p, pr))
			all[i++] = (struct listed){ listed_point(pr), pr };
	sort_rows(all, n, by_string);
	for (i = 0; i < n && p->output.resolve; i++)
		list_place(t, p, all[i].probe);
	for (; i < n; i += same) {
		for (same = 1; i + same < n && !strcmp(all[i].point, all[i + same].point);)
			same++;
		text_puts(t, all[i].point);
		if (p->output.list_variables)
			print_common(t, &all[i], same);
		text_puts(t, "\n");
	}
	free(all);
}

/* Looking for a variable that the place has as a string. */
struct text_search {
	const char *name;
	bool found;
};

static void find_text(const char *name, const char *type, void *data)
{
	struct text_search *s = data;

	s->found |= !strcmp(name, s->name) && !strcmp(type, "string");
}

static bool is_text(const struct probe *pr, const struct node *n)
{
	struct text_search s = { n->name + 1, false };

	if (n->pretty || !strncmp(n->name, "$$", 2))
		return true;
	context_list_probe(pr, find_text, &s);
	return s.found;
}

/* Makes a string of a target variable that is one, without looking up its value. */
static bool settle_text(struct node *n, void *data)
{
	if (n->kind == ND_TARGET && is_text(data, n)) {
		n->kind = ND_STR;
		n->text = "";
		n->text_len = 0;
	}
	return true;
}

/* The types of the variables that aliases offer. An undecided type stays unknown. */
static void settle_aliases(struct program *p)
{
	struct trial trial;
	bool aliases = false;

	for (struct probe *pr = p->probes; pr; pr = pr->next)
		if (pr->alias_chain) {
			aliases = true;
			node_visit(pr->body, settle_text, pr);
		}
	if (!aliases)
		return;
	trial_begin(p->reports, &trial, TRIAL_DROPS);
	resolve_program(p);
	infer_program(p);
	trial_end(&trial);
}

static bool list_points(struct program *p, struct text *t)
{
	if (!expand_probes(p, p->probe_defs) || !p->probes)
		return false;
	if (p->output.list_variables)
		settle_aliases(p);
	print_points(t, p);
	return true;
}

/* ---- what exists ---- */
static void add_form(const struct probe_pattern *pattern, void *data)
{
	add_line(data, pattern->text);
}

static const char *alias_line(const struct alias *a)
{
	struct text t = { 0 };

	text_printf(&t, "%s %s ", probe_point_text(&(struct probe_point){ .parts = a->name }), a->append ? "+=" : "=");
	for (const struct probe_point *pp = a->points; pp; pp = pp->next)
		text_printf(&t, "%s%s%s", pp == a->points ? "" : ", ", probe_point_text(pp),
			    pp->sufficient ? "!" : pp->optional ? "?" : "");
	return text_keep(&t);
}

static void list_aliases(struct program *p, struct lines *l)
{
	tapset_need_alias(p, "**");
	for (const struct alias *a = p->aliases; a; a = a->next)
		if (a->name->name[0] != '_' || p->output.verbose)
			add_line(l, alias_line(a));
}

static void need_function(const char *name, void *data)
{
	add_line(data, name);
}

/* name:type (parameter:type, ...), then what is known of it. */
static const char *function_line(const struct function *f)
{
	struct text t = { 0 };

	text_printf(&t, "%s:%s (", f->name, type_name(f->type));
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(&t, "%s%s:%s", s == f->params ? "" : ", ", s->name, type_name(s->type));
	text_printf(&t, ")%s", f->pure ? " /* pure */" : "");
	return text_keep(&t);
}

static void list_functions(struct program *p, struct lines *l)
{
	struct lines names = { 0 };
	struct trial trial;

	/* Reading a file adds to the table that the names come from. */
	tapset_function_names(p, need_function, &names);
	for (size_t i = 0; i < names.n; i++)
		tapset_need_function(p, names.line[i]);
	free(names.line);
	for (struct function *f = p->functions; f; f = f->next)
		f->used = true;
	trial_begin(p->reports, &trial, TRIAL_DROPS);
	resolve_program(p);
	infer_program(p);
	trial_end(&trial);
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->name[0] != '_' || p->output.verbose)
			add_line(l, function_line(f));
}

bool sema_list(struct program *p, struct text *t)
{
	struct lines l = { 0 };

	switch (p->output.dump) {
	case DUMP_NONE:
		return list_points(p, t);
	case DUMP_PROBE_TYPES:
		probe_patterns(add_form, &l);
		break;
	case DUMP_PROBE_ALIASES:
		list_aliases(p, &l);
		break;
	case DUMP_FUNCTIONS:
		list_functions(p, &l);
		break;
	}
	print_lines(&l, t);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probe points. Brace groups expand to the product of their alternatives; each result gets the `?`, `!` and condition.
 *
 * Until a point is complete, each component links to the one before it. Alternatives therefore share their beginning, and adding
 * a component takes the same time at any length. points_finish() copies the components into order.
 */
#include <string.h>

#include "translator/syntax/actions.h"
#include "translator/syntax/grammar.h"

static struct probe_point *add_point(struct point_list *list, const struct probe_point *model)
{
	struct probe_point *pp = arena_new(&program_arena, struct probe_point);

	*pp = *model;
	pp->next = NULL;
	if (list->last)
		list->last->next = pp;
	else
		list->first = pp;
	list->last = pp;
	list->n++;
	return pp;
}

struct point_list points_component(struct unit *u, const struct token *name, struct node *arg)
{
	struct component *c = arena_new(&program_arena, struct component);
	struct probe_point pp = { .parts = c, .loc = name->loc };
	struct point_list list = { 0 };

	c->name = name->text;
	c->arg = arg;
	c->loc = name->loc;
	add_point(&list, &pp);
	return list;
}

struct point_list points_join(struct unit *u, const struct point_list *a, const struct point_list *b)
{
	struct point_list list = *a;

	list.last->next = b->first;
	list.last = b->last;
	list.n += b->n;
	return list;
}

/* The components of B put on top of those of A. B is reversed: its first component is its deepest. */
static struct component *stack_parts(struct component *a, const struct component *b)
{
	struct component *first = NULL, **end = &first;

	for (; b; b = b->next) {
		*end = arena_new(&program_arena, struct component);
		**end = *b;
		end = &(*end)->next;
	}
	*end = a;
	return first;
}

struct point_list points_product(struct unit *u, const struct point_list *a, const struct point_list *b,
				 struct loc dot)
{
	struct point_list list = { 0 };

	if ((long)a->n * b->n > POINTS_MAX) {
		error(dot, DIAG_PROBE_POINT, "the braces stand for more than %d probe points", POINTS_MAX);
		return *a;
	}
	for (const struct probe_point *x = a->first; x; x = x->next) {
		if (x->optional || x->condition) {
			error(dot, DIAG_SYNTAX, "'?', '!' and 'if' end a probe point, nothing can follow them");
			return *a;
		}
	}
	for (const struct probe_point *x = a->first; x; x = x->next) {
		for (const struct probe_point *y = b->first; y; y = y->next) {
			struct probe_point *pp = add_point(&list, y);

			pp->loc = x->loc;
			pp->parts = stack_parts(x->parts, y->parts);
			/* Alternatives must not share what passes annotate. */
			if (pp->condition && x != a->first)
				pp->condition = node_clone(pp->condition);
		}
	}
	return list;
}

struct point_list points_suffix(struct unit *u, const struct point_list *list, const struct token *mark)
{
	for (struct probe_point *pp = list->first; pp; pp = pp->next) {
		if (pp->optional || pp->condition) {
			error(mark->loc, DIAG_SYNTAX, "'%s' after '?', '!' or a condition", mark->text);
			note(mark->loc, "a probe point has one '?' or '!', then one condition");
			return *list;
		}
	}
	for (struct probe_point *pp = list->first; pp; pp = pp->next) {
		pp->optional = true;
		pp->sufficient = mark->text[0] == '!';
	}
	return *list;
}

struct point_list points_condition(struct unit *u, const struct point_list *list, const struct token *t,
				   struct node *condition)
{
	for (struct probe_point *pp = list->first; pp; pp = pp->next) {
		if (pp->condition) {
			error(t->loc, DIAG_SYNTAX, "a second condition on one probe point");
			note(pp->condition->loc, "join both with '&&'");
			return *list;
		}
	}
	for (struct probe_point *pp = list->first; pp; pp = pp->next)
		pp->condition = pp == list->first ? condition : node_clone(condition);
	return *list;
}

struct probe_point *points_finish(const struct point_list *list)
{
	for (struct probe_point *pp = list->first; pp; pp = pp->next) {
		struct component *ordered = NULL;

		for (const struct component *c = pp->parts; c; c = c->next) {
			struct component *copy = arena_new(&program_arena, struct component);

			*copy = *c;
			copy->next = ordered;
			ordered = copy;
		}
		pp->parts = ordered;
		/* In braces the parser takes it; outside of them it would begin something else. */
		if (keyword_kind(ordered->name, strlen(ordered->name)) != IDENT)
			error(ordered->loc, DIAG_SYNTAX, "'%s' is a keyword, no probe point begins with it",
			      ordered->name);
	}
	return list->first;
}

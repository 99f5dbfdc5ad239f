/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes what has no effect, and says so: constant expressions, branches never taken, assignments to variables that nobody
 * reads, functions and globals that nobody uses. Off with -u.
 *
 * As in SystemTap, unread assignments go before types are inferred: their types and target variables are not checked. All other
 * code has been checked before. An expression that may raise an error (a division, an empty aggregate) counts as an effect;
 * reading the probed program does not, as aliases offer more than scripts use.
 */
#include <string.h>

#include "translator/probe/access.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"

struct optimise {
	bool removed; /* in this round */
	bool silent;  /* synthetic code */
	bool early;   /* before types are known: whole statements only */
};

/* That an expression may end the handler, as `1 / x`, is no effect. */
static bool find_effect(struct node *n, void *data)
{
	bool *found = data;

	switch (n->kind) {
	case ND_ASSIGN:
	case ND_INCDEC:
	case ND_EMBED_EXPR:
		*found = true;
		break;
	case ND_PRINT:
		*found |= op_info[n->op].result != 'S';
		break;
	case ND_CALL:
		for (const struct function *f = n->func; f; f = f->overload)
			*found |= f->side_effects;
		break;
	case ND_BINARY:
		/* The matcher leaves its groups behind for matched(). */
		*found |= n->op == OP_MATCH || n->op == OP_NMATCH;
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	return !*found;
}

static bool has_effect(struct node *n)
{
	bool found = false;

	node_visit(n, find_effect, &found);
	return found;
}

static void optimise_node(struct node **np, void *data);

static void remove_statement(struct optimise *o, struct node **np)
{
	node_replace(np, node_new(ND_NULL_STMT, (*np)->loc));
	o->removed = true;
}

static void warn_of_no_effect(const struct node *e)
{
	warning(e->loc, DIAG_UNUSED, "this expression has no effect");
	if (e->kind == ND_BINARY && e->op == OP_EQ)
		note(e->loc, "'==' compares; write '=' to assign");
	if (e->kind == ND_BINARY && e->op == OP_SHL)
		note(e->loc, "'<<' shifts; write '<<<' to add a value to an aggregate");
}

/* `x = e` where nobody reads x: only the effects of e stay. */
static void optimise_expression(struct optimise *o, struct node **np)
{
	struct node *n = *np, *e = n->kid[0];
	struct symbol *s = (e->kind == ND_ASSIGN || e->kind == ND_INCDEC) &&
			   e->kid[0]->kind == ND_NAME ? e->kid[0]->sym : NULL;

	if (s && !s->global && !s->read) {
		if (loc_is_of_user(s->loc) && !o->silent && s->index >= 0)
			warning(s->loc, DIAG_UNUSED, "variable '%s' is assigned but never read", s->name);
		s->index = -1; /* said once */
		if (e->kind == ND_ASSIGN && (e->op == OP_DIV_ASSIGN || e->op == OP_MOD_ASSIGN))
			return; /* it reads the variable, and stays, as in SystemTap */
		if (e->kind == ND_ASSIGN && has_effect(e->kid[1])) {
			if (o->early)
				return;
			n->kid[0] = e->kid[1];
			o->removed = true;
		} else {
			remove_statement(o, np);
		}
		return;
	}
	if (has_effect(e))
		return;
	if (loc_is_of_user(n->loc) && !o->silent)
		warn_of_no_effect(e);
	remove_statement(o, np);
}

/* Drops empty statements. */
static void optimise_block(struct optimise *o, struct node *block)
{
	struct node **np = &block->list;

	while (*np) {
		struct node *n;

		optimise_node(np, o);
		n = *np;
		if (n->kind == ND_NULL_STMT) {
			*np = n->next;
			continue;
		}
		np = &n->next;
	}
}

static void optimise_branch(struct optimise *o, struct node **np)
{
	struct node *n = *np;

	if (n->kid[0]->kind != ND_NUM)
		return;
	if (n->kind == ND_WHILE) {
		if (!n->kid[0]->num)
			remove_statement(o, np);
		return;
	}
	node_decide(np, n->kid[0]->num);
	o->removed = true;
}

static void optimise_node(struct node **np, void *data)
{
	struct optimise *o = data;

	if (!node_is_statement(*np)) {
		if (!o->early)
			fold_tree(np);
		return;
	}
	if ((*np)->kind == ND_BLOCK) {
		optimise_block(o, *np);
		return;
	}
	node_kids(*np, optimise_node, o);
	if ((*np)->kind == ND_EXPR)
		optimise_expression(o, np);
	else if (!o->early && ((*np)->kind == ND_IF || (*np)->kind == ND_WHILE))
		optimise_branch(o, np);
}

static void drop_unused(struct symbol **list)
{
	while (*list) {
		if (!(*list)->read && !(*list)->written)
			*list = (*list)->next;
		else
			list = &(*list)->next;
	}
}

static void warn_unused(const struct program *p)
{
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->overload && !function_declines(f))
			f->overload->hidden = true; /* which has been warned of */
	for (const struct function *f = p->functions; f; f = f->next)
		if (!f->used && !f->copies && !f->probe && loc_is_of_user(f->loc) && !f->hidden)
			warning(f->loc, DIAG_UNUSED, "function '%s' is never called", f->name);
	for (const struct symbol *g = p->globals; g; g = g->next)
		if (!g->read && !g->written && loc_is_of_user(g->loc))
			warning(g->loc, DIAG_UNUSED, "global '%s' is never used", g->name);
}

static bool optimise_round(struct program *p, bool early)
{
	struct optimise o = { .early = early };
	struct probe *previous = NULL;

	for (struct function *f = p->functions; f; f = f->next)
		if (f->used && f->body)
			optimise_node(&f->body, &o);
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		struct node *body = pr->body;

		if (previous && previous->body == body)
			continue;
		o.silent = pr->def->synthetic;
		optimise_node(&body, &o);
	}
	return o.removed;
}

void optimise_unread(struct program *p)
{
	/* A list shows the types of what nothing reads. */
	if (p->language.no_optimise || p->output.list || p->output.dump)
		return;
	find_effects(p);
	for (int round = 0; round < 4 && optimise_round(p, true); round++)
		find_uses(p);
	for (struct function *f = p->functions; f; f = f->next)
		f->resolved &= f->used;
	functions_order(p);
}

void optimise_program(struct program *p)
{
	struct probe *previous = NULL;

	if (p->language.no_optimise)
		return;
	warn_unused(p);
	/* The code that one round removes may have been the last reader of something else. */
	for (int round = 0; round < 4 && optimise_round(p, false); round++)
		find_uses(p);
	for (struct function *f = p->functions; f; f = f->next) {
		if (f->used)
			drop_unused(&f->locals);
		if (f->used && f->body)
			once_calls(f->body, &f->locals, f->params);
	}
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		if (previous && previous->body == pr->body) {
			pr->locals = previous->locals;
		} else {
			drop_unused(&pr->locals);
			once_calls(pr->body, &pr->locals, NULL);
		}
	}
	drop_unused(&p->globals);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an expression has side effects, asked before names are resolved: functions are found by name. check.c finds the
 * effects of all functions later.
 */
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

enum { MOST_NODES = 10000 }; /* it recurses over calls, and no deeper than that */

struct search {
	struct program *program;
	const struct function *in; /* whose body is searched, NULL: the expression itself */
	int nodes;                 /* looked at so far */
	bool found;
};

static bool find_effect(struct node *n, void *data);

/* Whether N is a variable of the function IN, which nobody sees when it has returned. */
static bool is_local(const struct search *s, const struct node *n)
{
	if (!s->in || n->kind != ND_NAME)
		return false;
	if (n->sym)
		return !n->sym->global;
	for (const struct symbol *a = s->in->params; a; a = a->next)
		if (a->name == n->name)
			return true;
	tapset_need_global(s->program, n->name);
	for (const struct symbol *g = s->program->globals; g; g = g->next)
		if (g->name == n->name)
			return false;
	return true;
}

/* A function that does not exist counts as an effect: resolve.c reports the call. */
static void search_call(struct search *s, const struct node *n)
{
	const struct function *f = n->func, *outer = s->in;
	int n_args = 0;

	for (const struct node *arg = n->list; arg; arg = arg->next)
		n_args++;
	if (!f)
		f = function_overloads(s->program, n->name, n_args, n->loc.src);
	if (!f)
		s->found = true;
	for (; f && !s->found; f = f->overload) {
		s->in = f;
		if (f->body)
			node_visit(f->body, find_effect, s);
		else
			s->found = !f->pure;
	}
	s->in = outer;
}

static bool find_effect(struct node *n, void *data)
{
	struct search *s = data;

	if (++s->nodes > MOST_NODES)
		s->found = true;
	switch (n->kind) {
	case ND_FOREACH:
		for (const struct node *key = n->foreach->keys; key; key = key->next)
			s->found |= !is_local(s, key);
		s->found |= n->foreach->value && !is_local(s, n->foreach->value);
		break;
	case ND_TRY:
		s->found |= n->kid[2] && !is_local(s, n->kid[2]);
		break;
	case ND_ASSIGN:
	case ND_INCDEC:
		s->found |= !is_local(s, n->kid[0]) || n->op == OP_DIV_ASSIGN || n->op == OP_MOD_ASSIGN;
		break;
	case ND_DELETE:
	case ND_WHILE: /* it may run out of statements */
	case ND_FOR:
	case ND_EMBED:
	case ND_EMBED_EXPR:
		s->found = true;
		break;
	case ND_PRINT:
		s->found |= op_info[n->op].result != 'S';
		break;
	case ND_BINARY:
		s->found |= n->op == OP_MATCH || n->op == OP_NMATCH; /* matched() reads what they leave */
		s->found |= (n->op == OP_DIV || n->op == OP_MOD) && (n->kid[1]->kind != ND_NUM || !n->kid[1]->num); /* they may fail */
		break;
	case ND_CALL:
		if (!s->found)
			search_call(s, n);
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	return !s->found;
}

bool has_effects(struct program *p, struct node *n)
{
	struct search s = { .program = p };

	node_visit(n, find_effect, &s);
	return s.found;
}

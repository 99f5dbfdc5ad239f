/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of long strings: which have keys or values such as stacks, which are as long as strings may be.
 *
 * A string is long if it is appended to in a loop, and so is what is made of it. Such arrays get space for strings of full length,
 * others for a quarter of that, on average.
 */
#include "translator/gen/internal.h"
#include "translator/sema/pass.h"

struct texts {
	struct function *function; /* whose body is looked at; NULL: a probe's */
	int loops;                 /* around the statement */
	bool changed;
};

static void learn(struct texts *x, bool *is_long, bool now)
{
	x->changed |= now && !*is_long;
	*is_long |= now;
}

static struct symbol *symbol_of(const struct node *n)
{
	const struct node *name = n->kind == ND_INDEX ? n->kid[0] : n;

	return name->kind == ND_NAME ? name->sym : NULL;
}

static bool is_long(const struct node *n)
{
	const struct symbol *s = symbol_of(n);

	switch (n->kind) {
	case ND_NAME:
	case ND_INDEX:
		return s && s->long_text;
	case ND_CALL:
		for (const struct function *f = n->func; f; f = f->overload)
			if (f->long_text)
				return true;
		return false;
	case ND_BINARY:
		return n->op == OP_CAT && (is_long(n->kid[0]) || is_long(n->kid[1]));
	case ND_COND:
		return is_long(n->kid[1]) || is_long(n->kid[2]);
	case ND_ASSIGN:
		return is_long(n->kid[0]) || is_long(n->kid[1]);
	case ND_PRINT:
		for (const struct node *k = n->list; k; k = k->next)
			if (is_long(k))
				return true;
		return false;
	default: /* nothing to do for other kinds */
		break;
	}
	return false;
}

/* Does `S = E` append to S? */
static bool appends(const struct symbol *s, const struct node *e)
{
	if (e->kind == ND_BINARY && e->op == OP_CAT)
		return appends(s, e->kid[0]) || appends(s, e->kid[1]);
	return e->kind == ND_NAME && e->sym == s;
}

static void visit_assignment(struct texts *x, const struct node *n)
{
	struct symbol *s = symbol_of(n->kid[0]);
	bool appended = n->op == OP_CAT_ASSIGN || (n->op == OP_ASSIGN && n->kid[1]->kind == ND_BINARY && s && appends(s, n->kid[1]));

	if (s && s->type == TY_STRING)
		learn(x, &s->long_text, (appended && x->loops) || is_long(n->kid[1]));
}

static void visit_keys(struct texts *x, struct symbol *array, const struct node *keys)
{
	for (const struct node *k = keys; array && k; k = k->next)
		learn(x, &array->long_text, is_long(k));
}

static void visit_foreach(struct texts *x, const struct node *n)
{
	const struct symbol *array = symbol_of(n->kid[0]);

	if (!array || !array->long_text)
		return;
	for (const struct node *k = n->foreach->keys; k; k = k->next)
		if (k->sym && k->sym->type == TY_STRING)
			learn(x, &k->sym->long_text, true);
	if (n->foreach->value && n->foreach->value->sym)
		learn(x, &n->foreach->value->sym->long_text, true);
}

static void visit_call(struct texts *x, const struct node *n)
{
	for (struct function *f = n->func; f; f = f->overload) {
		struct symbol *param = f->params;

		for (const struct node *a = n->list; a && param; a = a->next, param = param->next)
			learn(x, &param->long_text, is_long(a));
	}
}

static void visit(struct node **np, void *data)
{
	struct texts *x = data;
	struct node *n = *np;
	bool loop = n->kind == ND_WHILE || n->kind == ND_FOR || n->kind == ND_FOREACH;

	x->loops += loop;
	if (n->kind == ND_ASSIGN)
		visit_assignment(x, n);
	else if (n->kind == ND_INDEX || n->kind == ND_IN)
		visit_keys(x, symbol_of(n->kid[0]), n->list);
	else if (n->kind == ND_FOREACH)
		visit_foreach(x, n);
	else if (n->kind == ND_CALL)
		visit_call(x, n);
	else if (n->kind == ND_RETURN && n->kid[0] && x->function)
		learn(x, &x->function->long_text, is_long(n->kid[0]));
	node_kids(n, visit, x);
	x->loops -= loop;
}

void texts_find_long(struct program *p)
{
	struct texts x;

	do {
		x = (struct texts){};
		for (x.function = p->functions; x.function; x.function = x.function->next)
			if (x.function->used && x.function->body)
				visit(&x.function->body, &x);
		for (struct probe *pr = p->probes; pr; pr = pr->next)
			visit(&pr->body, &x);
	} while (x.changed);
}

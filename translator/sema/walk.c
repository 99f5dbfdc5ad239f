/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking over the tree: the children of a node as places that may be replaced. */
#include "translator/probe/access.h"
#include "translator/sema/pass.h"

void node_replace(struct node **np, struct node *with)
{
	with->next = (*np)->next;
	*np = with;
}

bool node_is_choice(const struct node *n)
{
	return n->kind == ND_IF || n->kind == ND_COND || (n->kind == ND_BINARY && (n->op == OP_LAND || n->op == OP_LOR));
}

struct node **node_decide(struct node **np, bool v)
{
	struct node *n = *np, *taken;

	if (n->kind == ND_BINARY) {
		/* The last operand of && and || is only asked whether it is 0. */
		if ((n->op == OP_LAND) == v)
			return &n->kid[1];
		taken = node_number(n->loc, v);
	} else {
		taken = n->kid[v ? 1 : 2];
	}
	node_replace(np, taken ? taken : node_new(ND_NULL_STMT, n->loc));
	return np;
}

/* The place of the next node is read after the call: FN may have replaced this one. */
static void kids_of_list(struct node **np, void (*fn)(struct node **np, void *data), void *data)
{
	for (; *np; np = &(*np)->next)
		fn(np, data);
}

static void kids_of_foreach(struct foreach *f, void (*fn)(struct node **np, void *data), void *data)
{
	if (f->value)
		fn(&f->value, data);
	kids_of_list(&f->keys, fn, data);
	kids_of_list(&f->slice, fn, data);
}

void node_kids(struct node *n, void (*fn)(struct node **np, void *data), void *data)
{
	if (n->access) {
		kids_of_list(&n->list, fn, data);
		if (n->access->base == ACC_EXPR && n->kid[0])
			fn(&n->kid[0], data);
		for (struct access_step *s = n->access->steps; s; s = s->next)
			if (s->index)
				fn(&s->index, data);
		return;
	}
	/* In `[k] in a` and a[k] the keys come first, as in printing their value. */
	if (n->foreach)
		kids_of_foreach(n->foreach, fn, data);
	for (int i = 0; i < 4; i++)
		if (n->kid[i])
			fn(&n->kid[i], data);
	kids_of_list(&n->list, fn, data);
}

struct visit {
	bool (*fn)(struct node *n, void *data);
	void *data;
};

static void visit_kid(struct node **np, void *data)
{
	struct visit *v = data;

	node_visit(*np, v->fn, v->data);
}

void node_visit(struct node *n, bool (*fn)(struct node *n, void *data), void *data)
{
	struct visit v = { fn, data };

	if (n && fn(n, data))
		node_kids(n, visit_kid, &v);
}

const char *type_name(enum type t)
{
	static const char *const names[] = {
		[TY_UNKNOWN] = "unknown",
		[TY_LONG] = "long",
		[TY_STRING] = "string",
		[TY_STAT] = "aggregate",
	};

	return names[t];
}

const char *type_a(enum type t)
{
	static const char *const names[] = {
		[TY_UNKNOWN] = "of no type",
		[TY_LONG] = "a long",
		[TY_STRING] = "a string",
		[TY_STAT] = "an aggregate",
	};

	return names[t];
}

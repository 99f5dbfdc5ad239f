/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which operands run, and what one of them may change before another is used. */
#include "translator/gen/parts.h"

struct touching {
	const struct gen *g;
	unsigned touches;
};

static unsigned call_touches(const struct gen *g, const struct node *n)
{
	unsigned touches = 0;

	for (const struct function *f = n->func; f; f = f->overload) {
		const struct uses *uses = f->index >= 0 ? &g->plan.closed[f->index] : NULL;

		for (int i = 0; uses && i < g->plan.n_globals; i++) {
			if (uses->flags[i] & (USE_READ | USE_SORT))
				touches |= TOUCH_READ_GLOBAL;
			if (uses->flags[i] & (USE_WRITE | USE_COUNT))
				touches |= TOUCH_WRITE_GLOBAL | TOUCH_READ_GLOBAL;
		}
	}
	return touches;
}

static bool touch_node(struct node *n, void *data)
{
	struct touching *t = data;

	switch (n->kind) {
	case ND_NAME:
		if (n->sym)
			t->touches |= n->sym->global ? TOUCH_READ_GLOBAL : TOUCH_READ_LOCAL;
		break;
	case ND_ASSIGN:
	case ND_INCDEC: {
		const struct node *lvalue = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];

		t->touches |= lvalue->sym && lvalue->sym->global ? TOUCH_WRITE_GLOBAL : TOUCH_WRITE_LOCAL;
		break;
	}
	case ND_CALL:
		t->touches |= call_touches(t->g, n);
		break;
	case ND_EMBED_EXPR:
		t->touches |= TOUCH_READ_GLOBAL | TOUCH_WRITE_GLOBAL | TOUCH_READ_LOCAL | TOUCH_WRITE_LOCAL;
		break;
	default:
		break;
	}
	return true;
}

unsigned node_touches(const struct gen *g, const struct node *n)
{
	struct touching t = { .g = g };

	node_walk((struct node *)n, touch_node, &t);
	return t.touches;
}

static bool conflict(unsigned before, unsigned after)
{
	return ((before & TOUCH_READ_LOCAL) && (after & TOUCH_WRITE_LOCAL)) ||
	       ((before & TOUCH_READ_GLOBAL) && (after & TOUCH_WRITE_GLOBAL));
}

void gen_list(struct gen *g, struct node *const *kids, int n, struct value *ret)
{
	unsigned *after = arena_array(&program_arena, unsigned, n + 1); /* touches of the siblings after */

	for (int i = n - 1; i > 0; i--)
		after[i - 1] = after[i] | (kids[i]->kind == ND_NUM || kids[i]->kind == ND_NAME ?
						   0 : node_touches(g, kids[i]));
	for (int i = 0; i < n; i++) {
		ret[i] = gen_expr(g, kids[i]);
		if (!ret[i].constant && (after[i] & (TOUCH_WRITE_LOCAL | TOUCH_WRITE_GLOBAL)) &&
		    conflict(node_touches(g, kids[i]), after[i]))
			ret[i] = gen_hold(g, ret[i], kids[i]->type);
	}
}

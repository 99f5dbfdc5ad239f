/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic at translation time: exactly what the runtime would compute (64 bits, wrapping). An operation that would raise an error
 * at run time (division by zero) is left to the run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "translator/sema/pass.h"

static bool fold_binary(enum op op, long long a, long long b, long long *ret)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;
	unsigned shift = (unsigned)(b & 63);

	switch (op) {
	case OP_OR: *ret = a | b; return true;
	case OP_XOR: *ret = a ^ b; return true;
	case OP_AND: *ret = a & b; return true;
	case OP_LT: *ret = a < b; return true;
	case OP_GT: *ret = a > b; return true;
	case OP_EQ: *ret = a == b; return true;
	case OP_NE: *ret = a != b; return true;
	case OP_LE: *ret = a <= b; return true;
	case OP_GE: *ret = a >= b; return true;
	case OP_SHL: *ret = (long long)(x << shift); return true;
	case OP_SHR: *ret = a >> shift; return true;
	case OP_USHR: *ret = (long long)(x >> shift); return true;
	case OP_ADD: *ret = (long long)(x + y); return true;
	case OP_SUB: *ret = (long long)(x - y); return true;
	case OP_MUL: *ret = (long long)(x * y); return true;
	case OP_DIV:
		if (!b)
			return false;
		*ret = b == -1 ? (long long)-x : a / b;
		return true;
	case OP_MOD:
		if (!b)
			return false;
		*ret = b == -1 || b == 1 ? 0 : a % b;
		return true;
	default:
		return false;
	}
}

static bool fold_unary(enum op op, long long a, long long *ret)
{
	switch (op) {
	case OP_NEG: *ret = (long long)-(uint64_t)a; return true;
	case OP_PLUS: *ret = a; return true;
	case OP_NOT: *ret = !a; return true;
	case OP_COMPL: *ret = ~a; return true;
	default: return false;
	}
}

bool fold_constant(const struct node *n, long long *ret)
{
	long long a, b;

	switch (n->kind) {
	case ND_NUM:
		*ret = n->num;
		return true;
	case ND_UNARY:
		return fold_constant(n->kid[0], &a) && fold_unary(n->op, a, ret);
	case ND_COND:
		return fold_constant(n->kid[0], &a) && fold_constant(n->kid[a ? 1 : 2], ret);
	case ND_BINARY:
		if (!fold_constant(n->kid[0], &a))
			return false;
		if (n->op == OP_LAND || n->op == OP_LOR) {
			if (!a == (n->op == OP_LAND)) {
				*ret = n->op == OP_LOR;
				return true;
			}
			if (!fold_constant(n->kid[1], &b))
				return false;
			*ret = !!b;
			return true;
		}
		return fold_constant(n->kid[1], &b) && fold_binary(n->op, a, b, ret);
	default:
		return false;
	}
}

/* Replaces LIKE in its place: the same location, for messages of later passes. */
static struct node *number(const struct node *like, long long v)
{
	struct node *n = node_number(like->loc, v);

	n->type = TY_LONG;
	n->paren = like->paren;
	return n;
}

/* Comparisons and joins of two literals. Strings at run time are cut at MAXSTRINGLEN, so only short ones are joined. */
static struct node *fold_strings(const struct node *n)
{
	enum { SHORT = 100 };
	const struct node *a = n->kid[0], *b = n->kid[1];
	struct node *r;
	int order;

	if (a->text_len > SHORT || b->text_len > SHORT || strlen(a->text) != a->text_len ||
	    strlen(b->text) != b->text_len)
		return NULL;
	if (n->op == OP_CAT) {
		r = node_new(ND_STR, n->loc);
		r->text = arena_printf(&program_arena, "%s%s", a->text, b->text);
		r->text_len = a->text_len + b->text_len;
		r->type = TY_STRING;
		return r;
	}
	order = strcmp(a->text, b->text);
	switch (n->op) {
	case OP_LT: return number(n, order < 0);
	case OP_GT: return number(n, order > 0);
	case OP_EQ: return number(n, order == 0);
	case OP_NE: return number(n, order != 0);
	case OP_LE: return number(n, order <= 0);
	case OP_GE: return number(n, order >= 0);
	default: return NULL;
	}
}

static void fold_kid(struct node **np, void *data)
{
	fold_tree(np);
}

void fold_tree(struct node **np)
{
	struct node *n = *np, *with = NULL;
	long long v;

	if (n->absent)
		return;
	node_kids(n, fold_kid, NULL);
	/* Kids are literals by now where they can be, so one step is enough. */
	if (n->kind == ND_UNARY || n->kind == ND_BINARY) {
		if (fold_constant(n, &v))
			with = number(n, v);
		else if (n->kind == ND_BINARY && n->kid[0]->kind == ND_STR && n->kid[1]->kind == ND_STR)
			with = fold_strings(n);
	} else if (n->kind == ND_COND && n->kid[0]->kind == ND_NUM) {
		with = n->kid[n->kid[0]->num ? 1 : 2];
	}
	if (with)
		node_replace(np, with);
}

/* Drops the left side where the right side decides. */
static void fold_by_right(struct node **np, void *program)
{
	struct node *n = *np;
	long long v;

	if (n->absent)
		return;
	node_kids(n, fold_by_right, program);
	if (n->kind == ND_BINARY && (n->op == OP_LAND || n->op == OP_LOR) && fold_constant(n->kid[1], &v) &&
	    !v == (n->op == OP_LAND) && !has_effects(program, n->kid[0]))
		node_replace(np, number(n, n->op == OP_LOR));
}

bool fold_condition(struct program *p, struct node **np, bool *ret)
{
	long long v;

	fold_tree(np);
	fold_by_right(np, p);
	fold_tree(np);
	if (!fold_constant(*np, &v))
		return false;
	*ret = v != 0;
	return true;
}

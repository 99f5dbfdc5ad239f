/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assignments: = += ++ and so on, to variables here, to elements of arrays in array.c, to target variables in access.c. */
#include "translator/gen/parts.h"

/* ++ += -- -= by a handler that only counts. */
static void count(struct gen *g, const struct symbol *s, bool up, struct value by)
{
	const char *adds = arena_printf(&program_arena, up ? "o%s, %s" : "o%s, (kt_s64)-(kt_u64)(%s)", g->global_name[s->index], by.text);
	bool first = !g->u->code.len;

	gen_line(g, "kt_cpu_add(c, %s);", adds);
	if (!first || !by.constant)
		return;
	g->u->adds = adds;
	g->u->adds_end = g->u->code.len;
}

/* The string N may be the variable S itself, not a copy. */
static bool may_be(const struct node *n, const struct symbol *s)
{
	switch (n->kind) {
	case ND_NAME:
		return n->sym == s;
	case ND_ASSIGN:
		return may_be(n->kid[0], s);
	case ND_COND:
		return may_be(n->kid[1], s) || may_be(n->kid[2], s);
	default:
		return false;
	}
}

/* x .= e */
static struct value append(struct gen *g, const struct node *n)
{
	const struct symbol *s = n->kid[0]->sym;
	const char *to = gen_scalar(g, s);
	struct value v = gen_expr(g, n->kid[1]);

	/* x .= x would read what it writes. */
	if (may_be(n->kid[1], s))
		v = gen_hold(g, v, TY_STRING);
	gen_line(g, "kt_strcat(%s, %s, KT_STR);", to, v.text);
	return (struct value){ .text = to };
}

static bool is_plain(const struct node *n)
{
	return n->kind == ND_NAME;
}

struct value gen_assign(struct gen *g, const struct node *n, bool wanted)
{
	const struct node *lvalue = n->kid[0];
	const struct symbol *s = lvalue->sym;
	struct value v;
	bool fails;

	if (n->op == OP_STAT_ADD && is_plain(lvalue)) {
		gen_stat_add(g, n);
		return gen_constant(0);
	}
	if (lvalue->kind == ND_INDEX)
		return gen_array_assign(g, n, wanted);
	if (!is_plain(lvalue))
		return gen_access_assign(g, n, wanted);
	if (n->op == OP_CAT_ASSIGN)
		return append(g, n);
	v = gen_expr(g, n->kid[1]);
	if (s->global && s->type == TY_LONG && !wanted && gen_is_counter(g, s)) {
		count(g, s, n->op == OP_ADD_ASSIGN, v);
		return v;
	}
	if (n->op != OP_ASSIGN)
		v.text = gen_template(g, n, gen_scalar(g, s), v.text, &fails);
	gen_set_scalar(g, s, v.text);
	return (struct value){ .text = gen_scalar(g, s) };
}

struct value gen_incdec(struct gen *g, const struct node *n, bool wanted)
{
	const struct node *lvalue = n->kid[0];
	const struct symbol *s = lvalue->sym;
	bool up = n->op == OP_PREINC || n->op == OP_POSTINC;
	const char *sign = up ? "+" : "-";
	struct value before;

	if (lvalue->kind == ND_INDEX)
		return gen_array_incdec(g, n, wanted);
	if (!is_plain(lvalue))
		return gen_access_assign(g, n, wanted);
	if (s->global && !wanted && gen_is_counter(g, s)) {
		count(g, s, up, gen_constant(1));
		return gen_constant(0);
	}
	before.text = gen_scalar(g, s);
	if (wanted && (n->op == OP_POSTINC || n->op == OP_POSTDEC)) {
		before = gen_hold(g, (struct value){ .text = before.text }, TY_LONG);
		gen_set_scalar(g, s, arena_printf(&program_arena, "%s %s 1", before.text, sign));
		return before;
	}
	if (s->global && s->plan == PLAN_COUNTER)
		gen_line(g, "g%s %s= 1;", g->global_name[s->index], sign);
	else
		gen_line(g, "%s %s= 1;", gen_scalar(g, s), sign);
	return (struct value){ .text = gen_scalar(g, s) };
}

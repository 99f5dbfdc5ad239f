/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: values, conditions, and the order in which operands run (see state.h for the method). */
#include "translator/gen/parts.h"

#include <string.h>

#include "translator/probe/context.h"

/* A C expression longer than this goes into a temporary: keeps text linear in the size of the script. */
enum { LONG_TEXT = 200 };

static struct value bounded(struct gen *g, struct value v)
{
	return strlen(v.text) > LONG_TEXT ? gen_hold(g, v, TY_LONG) : v;
}

/* ---- operators ---- */

static struct value apply(struct gen *g, const struct node *n, struct value a, struct value b)
{
	struct value v = { 0 };
	bool fails;

	/* The compiler warns about an overflow of constants, which is defined here. */
	if (a.constant && (b.constant || !b.text) && n->op != OP_PLUS)
		a = gen_hold(g, a, TY_LONG);
	v.text = gen_template(g, n, a.text, b.text, &fails);
	return fails ? gen_hold(g, v, TY_LONG) : bounded(g, v);
}

static bool is_comparison(enum op op)
{
	return op == OP_LT || op == OP_GT || op == OP_EQ || op == OP_NE || op == OP_LE || op == OP_GE;
}

static const char *gen_compare(struct gen *g, const struct node *n)
{
	struct value v[2];

	gen_list(g, n->kid, 2, v);
	if (n->kid[0]->type == TY_STRING)
		return arena_printf(&program_arena, "(kt_strcmp(%s, %s) %s 0)", v[0].text, v[1].text,
				    op_info[n->op].lexeme);
	/* The compiler warns about x == x and about constants. */
	if (!strcmp(v[0].text, v[1].text) || (v[0].constant && v[1].constant))
		v[0] = gen_hold(g, v[0], TY_LONG);
	return arena_printf(&program_arena, "(%s %s %s)", v[0].text, op_info[n->op].lexeme, v[1].text);
}

/* Runs FN's statements into a text of their own, to see whether there are any. */
struct detour {
	struct text saved;
};

static void detour_begin(struct gen *g, struct detour *d)
{
	d->saved = g->u->code;
	g->u->code = (struct text){ .indent = d->saved.indent + 1 };
}

static struct text detour_end(struct gen *g, struct detour *d)
{
	struct text code = g->u->code;

	g->u->code = d->saved;
	return code;
}

/* a && b, a || b: b runs only when a did not decide. */
static const char *gen_logical(struct gen *g, const struct node *n)
{
	bool and = n->op == OP_LAND;
	const char *a = gen_cond(g, n->kid[0]), *b, *t;
	struct detour d;
	struct text code;

	detour_begin(g, &d);
	b = gen_cond(g, n->kid[1]);
	code = detour_end(g, &d);
	if (!code.len && strlen(a) + strlen(b) < LONG_TEXT)
		return arena_printf(&program_arena, "(%s %s %s)", a, and ? "&&" : "||", b);
	t = gen_temp(g);
	gen_line(g, "%s = %s;", t, a);
	gen_open(g, and ? "if (%s) {" : "if (!%s) {", t);
	text_append(&g->u->code, text_str(&code), code.len);
	gen_line(g, "%s = %s;", t, b);
	gen_close(g, "}");
	text_deinit(&code);
	return arena_printf(&program_arena, "(%s != 0)", t);
}

const char *gen_cond(struct gen *g, const struct node *n)
{
	if (n->kind == ND_BINARY && is_comparison(n->op))
		return gen_compare(g, n);
	if (n->kind == ND_BINARY && (n->op == OP_LAND || n->op == OP_LOR))
		return gen_logical(g, n);
	if (n->kind == ND_BINARY && (n->op == OP_MATCH || n->op == OP_NMATCH))
		return gen_match(g, n);
	if (n->kind == ND_UNARY && n->op == OP_NOT)
		return arena_printf(&program_arena, "(!%s)", gen_cond(g, n->kid[0]));
	if (n->kind == ND_NUM)
		return n->num ? "1" : "0";
	return arena_printf(&program_arena, "(%s != 0)", gen_expr(g, n).text);
}

static bool is_truth(const struct node *n)
{
	switch (n->op) {
	case OP_LT: case OP_GT: case OP_EQ: case OP_NE: case OP_LE: case OP_GE:
	case OP_LAND: case OP_LOR: case OP_MATCH: case OP_NMATCH: case OP_NOT:
		return true;
	default:
		return false;
	}
}

/* a . b . c: one slot is built up from the left. */
static struct value gen_concat(struct gen *g, const struct node *n)
{
	struct value v = gen_expr(g, n->kid[0]), right;
	int mark;

	if (!v.slot) {
		struct value copy = { .text = gen_slot(g), .slot = true };

		gen_line(g, "kt_strcpy(%s, %s, KT_STR);", copy.text, v.text);
		v = copy;
	}
	mark = g->u->slots;
	right = gen_expr(g, n->kid[1]);
	gen_line(g, "kt_strcat(%s, %s, KT_STR);", v.text, right.text);
	g->u->slots = mark;
	return v;
}

static struct value gen_binary(struct gen *g, const struct node *n)
{
	struct value v[2];

	if (n->op == OP_CAT)
		return gen_concat(g, n);
	if (is_truth(n))
		return bounded(g, value_of("kt_bool(%s)", gen_cond(g, n)));
	gen_list(g, n->kid, 2, v);
	return apply(g, n, v[0], v[1]);
}

static struct value gen_unary(struct gen *g, const struct node *n)
{
	if (n->op == OP_NOT)
		return value_of("kt_bool(%s)", gen_cond(g, n));
	return apply(g, n, gen_expr(g, n->kid[0]), (struct value){ 0 });
}

/* c ? a : b. Both arms borrow what they name; a slot in either makes the result nobody's to change. */
static struct value gen_ternary(struct gen *g, const struct node *n)
{
	const char *cond = gen_cond(g, n->kid[0]), *t;
	struct text code[2];
	struct value v[2], ret = { 0 };
	struct detour d;

	for (int i = 0; i < 2; i++) {
		detour_begin(g, &d);
		v[i] = gen_expr(g, n->kid[i + 1]);
		code[i] = detour_end(g, &d);
	}
	if (!code[0].len && !code[1].len && strlen(cond) + strlen(v[0].text) + strlen(v[1].text) < LONG_TEXT)
		return value_of("(%s ? %s : %s)", cond, v[0].text, v[1].text);
	t = n->type == TY_STRING ? arena_printf(&program_arena, "q%d", g->u->n_string++) : gen_temp(g);
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			gen_open(g, "if (%s) {", cond);
		else
			gen_open(g, "} else {");
		text_append(&g->u->code, text_str(&code[i]), code[i].len);
		gen_line(g, "%s = %s;", t, v[i].text);
		g->u->code.indent--;
		text_deinit(&code[i]);
	}
	gen_line(g, "}");
	ret.text = t;
	return ret;
}

struct value expr_value(struct gen *g, const struct node *n)
{
	const struct ctype *array = n->type == TY_STRING ? context_char_array(n) : NULL;

	if (array)
		return gen_char_array(g, n, array);
	switch (n->kind) {
	case ND_NUM:
		return gen_constant(n->num);
	case ND_STR:
		return gen_literal(g, n);
	case ND_NAME:
		return gen_name(g, n);
	case ND_INDEX:
		return n->kid[0]->kind == ND_HIST ? gen_bucket(g, n) : gen_index(g, n);
	case ND_CALL:
		return gen_call(g, n, true);
	case ND_UNARY:
		return gen_unary(g, n);
	case ND_INCDEC:
		return gen_incdec(g, n, true);
	case ND_BINARY:
		return gen_binary(g, n);
	case ND_ASSIGN:
		return gen_assign(g, n, true);
	case ND_COND:
		return gen_ternary(g, n);
	case ND_IN:
		return n->kid[0]->kind == ND_HIST ? gen_has_bucket(g, n) : gen_in(g, n);
	case ND_STAT:
		return gen_stat(g, n);
	case ND_PRINT:
		return gen_print(g, n);
	case ND_TARGET: case ND_ARROW: case ND_SUBSCRIPT: case ND_ADDRESS: case ND_CAST: case ND_VAR:
		return gen_access(g, n);
	case ND_EMBED_EXPR:
	case ND_CONST:
		return gen_embedded_expr(g, n);
	case ND_ENUMNAME:
		return gen_enum_name(g, n);
	case ND_DEREF:
		return gen_deref(g, n);
	case ND_PERF:
		return gen_counter(g, n);
	case ND_REGISTER:
		return gen_register(g, n);
	default:
		error(n->loc, DIAG_UNSUPPORTED, "'%s' cannot be compiled yet", node_kind_name(n->kind));
		g->failed = true;
		return gen_constant(0);
	}
}

void gen_effect(struct gen *g, const struct node *n)
{
	struct value v;

	switch (n->kind) {
	case ND_ASSIGN:
		gen_assign(g, n, false);
		return;
	case ND_INCDEC:
		gen_incdec(g, n, false);
		return;
	case ND_CALL:
		gen_call(g, n, false);
		return;
	default:
		v = gen_expr(g, n);
		if (!v.constant && !v.slot && n->kind != ND_PRINT)
			gen_line(g, "(void)%s;", v.text);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: values, conditions, and the order in which operands run (see internal.h for the method). */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "translator/gen/internal.h"
#include "translator/gen/share.h"

/* A C expression longer than this goes into a temporary: keeps text linear in the size of the script. */
enum { LONG_TEXT = 200 };

/* ---- small things ---- */
void gen_line(struct gen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_vline(&g->u->code, fmt, ap);
	va_end(ap);
}

void gen_blank(struct gen *g)
{
	text_puts(&g->u->code, "\n");
}

void gen_open(struct gen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_vline(&g->u->code, fmt, ap);
	va_end(ap);
	g->u->code.indent++;
}

void gen_close(struct gen *g, const char *s)
{
	emit_close(&g->u->code, s);
}

/* ---- data of a handler ---- */
/* Functions and conditions are not shared. */
static bool in_handler(const struct gen *g)
{
	return g->u->probe && !g->u->condition;
}

const char *gen_datum(const struct gen *g, int number)
{
	if (!in_handler(g))
		return arena_printf(&program_arena, "%d", number);
	return arena_printf(&program_arena, SHARE_OPEN "%d" SHARE_NEXT "%d" SHARE_NEXT "(kt_u32)" SHARE_WORD SHARE_CLOSE, number, number);
}

void gen_region(struct gen *g)
{
	if (in_handler(g))
		text_puts(&g->u->code, SHARE_OPEN);
}

void gen_region_end(struct gen *g, uint64_t word, const char *to)
{
	if (!in_handler(g))
		return;
	text_printf(&g->u->code, SHARE_NEXT "%#" PRIx64 "ull" SHARE_NEXT, word);
	gen_line(g, "%s = (kt_s64)kt_locate(c, " SHARE_WORD ", locators);", to);
	text_puts(&g->u->code, SHARE_CLOSE);
}

void gen_check(struct gen *g, const struct node *n)
{
	gen_line(g, "KT_CHECK(%s);", gen_datum(g, gen_place(g, n)));
}

struct value value_of(const char *fmt, ...)
{
	struct value v = { 0 };
	va_list ap;

	va_start(ap, fmt);
	v.text = arena_vprintf(&program_arena, fmt, ap);
	va_end(ap);
	return v;
}

const char *c_number(long long v)
{
	if (v == LLONG_MIN)
		return "(-9223372036854775807ll - 1)";
	if (v < 0)
		return arena_printf(&program_arena, "(%lldll)", v);
	return arena_printf(&program_arena, "%lldll", v);
}

const char *c_whole_string(const char *s, size_t len)
{
	struct text t = { 0 };
	const char *ret;

	text_quote(&t, s, len);
	ret = arena_strndup(&program_arena, text_str(&t), t.len);
	text_deinit(&t);
	return ret;
}

const char *c_string(struct gen *g, const char *s, size_t len, size_t *ret_len)
{
	len = strnlen(s, len);
	if (len > (size_t)g->string_max - 1)
		len = (size_t)g->string_max - 1;
	*ret_len = len;
	return c_whole_string(s, len);
}

struct value gen_constant(long long number)
{
	return (struct value){ .text = c_number(number), .constant = true };
}

const char *gen_temp(struct gen *g)
{
	return arena_printf(&program_arena, "t%d", g->u->n_long++);
}

const char *gen_try(struct gen *g)
{
	const char *failed = gen_temp(g);

	gen_line(g, "%s = 0;", failed);
	gen_open(g, "{");
	gen_line(g, "__label__ kt_fail;");
	return failed;
}

void gen_try_failed(struct gen *g, const char *failed)
{
	gen_open(g, "if (0) {");
	gen_line(g, "kt_fail: __attribute__((unused));");
	gen_line(g, "%s = 1;", failed);
	gen_close(g, "}");
	gen_close(g, "}");
	gen_open(g, "if (kt_unlikely(%s)) {", failed);
	gen_line(g, "if (!kt_catchable(c))");
	gen_line(g, "\tgoto kt_fail;");
}

const char *gen_slot(struct gen *g)
{
	int slot = g->u->slots++;

	if (g->u->slots > g->u->max_slots)
		g->u->max_slots = g->u->slots;
	return arena_printf(&program_arena, "s[%d]", slot);
}

struct value gen_hold(struct gen *g, struct value v, enum type type)
{
	struct value held = { 0 };

	if (type == TY_STRING) {
		if (v.constant || v.slot)
			return v;
		held.text = gen_slot(g);
		held.slot = true;
		gen_line(g, "kt_strcpy(%s, %s, KT_STR);", held.text, v.text);
		return held;
	}
	held.text = gen_temp(g);
	gen_line(g, "%s = %s;", held.text, v.text);
	return held;
}

static struct value bounded(struct gen *g, struct value v)
{
	return strlen(v.text) > LONG_TEXT ? gen_hold(g, v, TY_LONG) : v;
}

/* ---- order ---- */
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

/* ---- operators ---- */
const char *gen_template(struct gen *g, const struct node *n, const char *a, const char *b, bool *ret_fails)
{
	struct text t = { 0 };
	const char *ret;

	*ret_fails = false;
	for (const char *s = op_info[n->op].tmpl; *s; s++) {
		if (*s != '%' || (s[1] != '0' && s[1] != '1' && s[1] != 'L')) {
			text_append(&t, s, 1);
			continue;
		}
		s++;
		if (*s == 'L') {
			text_printf(&t, "%d", gen_place(g, n));
			*ret_fails = true;
		} else {
			text_puts(&t, *s == '0' ? a : b);
		}
	}
	ret = arena_strndup(&program_arena, text_str(&t), t.len);
	text_deinit(&t);
	return ret;
}

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

struct value gen_literal(struct gen *g, const struct node *n)
{
	struct value v = { .constant = true };

	v.text = c_string(g, n->text, n->text_len, &v.len);
	if (v.len < strnlen(n->text, n->text_len)) {
		warning(n->loc, DIAG_LIMIT, "a string of %zu bytes is cut to %zu", strnlen(n->text, n->text_len), v.len);
		note(n->loc, "raise -DMAXSTRINGLEN, which is %d", g->string_max);
	}
	return v;
}

struct value gen_expr(struct gen *g, const struct node *n)
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
		return gen_index(g, n);
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
		return gen_in(g, n);
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

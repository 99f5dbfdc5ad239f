/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C function that is being written: its lines, temporaries and literals, and at last its declarations. */
#include "translator/gen/parts.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "translator/gen/share.h"
#include "translator/probe/probe.h"

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

void gen_next(struct gen *g)
{
	if (!g->u->func) {
		gen_line(g, "goto kt_leave;");
		return;
	}
	g->u->declined = true;
	gen_line(g, "goto kt_decline;");
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

/* ---- values ---- */
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

	text_quote(&t, s, len);
	return text_keep(&t);
}

const char *c_string(struct gen *g, const char *s, size_t len, size_t *ret_len)
{
	len = strnlen(s, len);
	if (len > (size_t)g->limits.string_max - 1)
		len = (size_t)g->limits.string_max - 1;
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

const char *gen_template(struct gen *g, const struct node *n, const char *a, const char *b, bool *ret_fails)
{
	struct text t = { 0 };

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
	return text_keep(&t);
}

struct value gen_literal(struct gen *g, const struct node *n)
{
	struct value v = { .constant = true };

	v.text = c_string(g, n->text, n->text_len, &v.len);
	if (v.len < strnlen(n->text, n->text_len)) {
		warning(n->loc, DIAG_LIMIT, "a string of %zu bytes is cut to %zu", strnlen(n->text, n->text_len), v.len);
		note(n->loc, "raise -DMAXSTRINGLEN, which is %d", g->limits.string_max);
	}
	return v;
}

const char *gen_pointer(struct gen *g)
{
	return arena_printf(&program_arena, "e%d", g->u->n_pointers++);
}

/* ---- the function ---- */
void unit_begin(struct gen *g, struct unit *u)
{
	*u = (struct unit){ .code = { .indent = 1 } };
	g->u = u;
}

/* Members of l, and the slot of each string. */
static int declare_locals(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals)
{
	const struct symbol *lists[] = { params, locals };
	int n = 0;

	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = lists[i]; s; s = s->next) {
			if (s->param && !s->written)
				continue;
			if (!n++)
				emit_open(out, "struct {");
			emit_line(out, "%s%s;", s->type == TY_STRING ? "char *" : "kt_s64 ", gen_local_name(s->name));
		}
	if (n)
		emit_close(out, "} l_, *l = &l_;");
	return n;
}

int unit_strings(const struct symbol *params, const struct symbol *locals)
{
	int n = 0;

	for (const struct symbol *s = params; s; s = s->next)
		n += s->type == TY_STRING && s->written;
	for (const struct symbol *s = locals; s; s = s->next)
		n += s->type == TY_STRING;
	return n;
}

static void init_local(struct text *out, const struct symbol *s, int *slot)
{
	const char *name = gen_local_name(s->name);

	if (s->param && !s->written)
		return;
	if (s->type == TY_STRING) {
		emit_line(out, "l->%s = s[%d];", name, (*slot)++);
		if (s->param)
			emit_line(out, "kt_strcpy(l->%s, a_%s, KT_STR);", name, s->name);
		else
			emit_line(out, "l->%s[0] = 0;", name);
	} else if (s->param) {
		emit_line(out, "l->%s = a_%s;", name, s->name);
	} else {
		emit_line(out, "l->%s = 0;", name);
	}
}

/* Declarations and initial values, then the code that was collected. */
void unit_write(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals)
{
	struct unit *u = g->u;
	int slot = 0;

	declare_locals(g, out, params, locals);
	if (u->max_slots)
		emit_line(out, "char (*s)[KT_STR] = (void *)kt_%sframe(c, %d * KT_STR);", u->func ? "" : "first_",
			  u->max_slots);
	for (int i = 0; i < u->n_long; i++)
		emit_line(out, "kt_s64 t%d __attribute__((unused));", i);
	for (int i = 0; i < u->n_string; i++)
		emit_line(out, "const char *q%d;", i);
	for (int i = 0; i < u->n_pointers; i++)
		emit_line(out, "kt_s64 *e%d;", i);
	for (int i = 0; i < u->n_hashed; i++)
		emit_line(out, "struct kt_hashed h%d;", i);
	if (u->func && u->func->type == TY_LONG)
		emit_line(out, "kt_s64 r_ = 0;");
	text_puts(out, "\n");
	if (u->frame && !u->max_slots)
		emit_line(out, "c->frame = c->frame_base;");
	if (u->acts)
		emit_line(out, "kt_actions_start(c, %lld);", count_budget(g, u->probe));
	if (u->visits)
		emit_line(out, "c->visits = %lld;", g->limits.max_visits);
	if (u->func && u->func->type == TY_STRING)
		emit_line(out, "ret_[0] = 0;");
	if (u->func && g->recursion) {
		emit_line(out, "if (kt_unlikely(++c->nesting > %d))", g->max_nesting);
		emit_line(out, "\tKT_FAIL(\"MAXNESTING exceeded; raise -DMAXNESTING\", KT_NO_PLACE);");
	}
	for (const struct symbol *s = params; s; s = s->next)
		init_local(out, s, &slot);
	for (const struct symbol *s = locals; s; s = s->next)
		init_local(out, s, &slot);
	text_append(out, text_str(&u->code), u->code.len);
	text_deinit(&u->code);
}

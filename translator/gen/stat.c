/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: s <<< v, the @-operators, histograms, in terms of core/stat.h.
 *
 * A scalar aggregate that is a COUNTER has a copy per CPU at offset o_s; owners see g_s, merged when their handler
 * took the lock, and add to both. Any other scalar is g_s alone. Elements of arrays: array.c.
 */
#include <string.h>

#include "runtime/core/map.h"
#include "translator/gen/internal.h"

int stat_op(enum op op)
{
	return (int)op - (int)OP_COUNT; /* enum kt_stat_op has the order of ops.def */
}

/* Returns enum kt_stat_field for the operators that the program applies to S. */
static kt_u32 fields_of(const struct symbol *s)
{
	static const struct {
		enum op op;
		kt_u32 fields;
	} need[] = {
		{ OP_SUM, KT_STAT_SUM }, { OP_AVG, KT_STAT_SUM }, { OP_MIN, KT_STAT_MIN }, { OP_MAX, KT_STAT_MAX },
		{ OP_VARIANCE, KT_STAT_VAR }, { OP_PCT, KT_STAT_PCT | KT_STAT_MIN | KT_STAT_MAX },
		{ OP_HIST_LOG, KT_STAT_HIST }, { OP_HIST_LINEAR, KT_STAT_HIST },
	};
	kt_u32 fields = KT_STAT_COUNT;

	for (size_t i = 0; i < sizeof(need) / sizeof(need[0]); i++)
		if (s->stat_ops & 1u << (need[i].op - OP_COUNT))
			fields |= need[i].fields;
	return fields;
}

const char *stat_type_text(struct gen *g, const struct symbol *s)
{
	return arena_printf(&program_arena, "s%s", g->global_name[s->index]);
}

struct kt_stat_type gen_stat_type(struct gen *g, const struct symbol *s)
{
	struct kt_stat_type t = { .fields = fields_of(s) };
	const struct node *h = s->hist;

	if (s->stat_ops & 1u << stat_op(OP_PCT))
		t.pct_bits = gen_is_map(g, s) ? KT_PCT_BITS_ARRAY : KT_PCT_BITS_SCALAR;
	if (h && h->op == OP_HIST_LOG)
		t.buckets = KT_LOG_BUCKETS;
	else if (h)
		t.buckets = KT_LINEAR_BUCKETS(h->list->num, h->list->next->num, h->list->next->next->num);
	t.words = KT_STAT_WORDS(t.fields, t.buckets, t.pct_bits);
	return t;
}

void gen_define_stat(struct gen *g, struct text *out, const struct symbol *s)
{
	struct kt_stat_type t = gen_stat_type(g, s);
	const char *type = stat_type_text(g, s);
	const struct node *h = s->hist;

	emit_line(out, "#define %s_WORDS %u", type, t.words);
	emit_open(out, "static const struct kt_stat_type %s = {", type);
	emit_line(out, ".fields = %u, .words = %s_WORDS, .pct_bits = %u, .buckets = %u,", t.fields, type, t.pct_bits, t.buckets);
	if (h && h->op == OP_HIST_LOG)
		emit_line(out, ".hist = KT_HIST_LOG,");
	else if (h)
		emit_line(out, ".hist = KT_HIST_LINEAR, .lo = %s, .hi = %s, .step = %s,", c_number(h->list->num),
			  c_number(h->list->next->num), c_number(h->list->next->next->num));
	if (h)
		emit_line(out, ".margin = %lld,", gen_limit(g, "HIST_ELISION", KT_HIST_MARGIN, -KT_HIST_MARGIN_MAX, KT_HIST_MARGIN_MAX));
	if (h && s->full_bars)
		emit_line(out, ".full_bars = 1,");
	emit_close(out, "};");
	if (!gen_is_map(g, s))
		emit_line(out, "static kt_s64 g%s[%s_WORDS] __attribute__((unused));", g->global_name[s->index],
			  type);
}

const struct symbol *stat_symbol(const struct node *operand)
{
	return operand->kind == ND_INDEX ? operand->kid[0]->sym : operand->sym;
}

void gen_stat_add(struct gen *g, const struct node *n)
{
	const struct symbol *s = n->kid[0]->sym;
	const char *name = g->global_name[s->index], *type = stat_type_text(g, s);
	struct value v = gen_expr(g, n->kid[1]);

	if (gen_is_map(g, s)) {
		gen_boxed_add(g, n, s, v.text);
		return;
	}
	if (s->plan == PLAN_COUNTER)
		gen_line(g, "kt_stat_add_scalar(c, o%s, &%s, %s);", name, type, v.text);
	if (!gen_is_counter(g, s))
		gen_line(g, "kt_stat_add(g%s, &%s, %s);", name, type, v.text);
}

/* The operand of an @-operator: evaluates its keys. NULL words are an empty aggregate. */
const char *gen_stat_words(struct gen *g, const struct node *operand)
{
	const struct symbol *s = stat_symbol(operand);
	struct text t = { 0 };
	struct value v[9];
	struct node *kids[9] = { NULL };
	const char *ret;
	int n = 0, loop;

	if (operand->kind != ND_INDEX && gen_is_map(g, s))
		return arena_printf(&program_arena, "kt_map_find_i(%s, 0)", gen_map(g, s));
	if (operand->kind != ND_INDEX)
		return arena_printf(&program_arena, "g%s", g->global_name[s->index]);
	loop = gen_loop_of(g, operand);
	if (loop >= 0)
		return gen_loop_value(s, loop);
	for (struct node *k = operand->list; k; k = k->next)
		kids[n++] = k;
	gen_list(g, kids, n, v);
	for (int i = 0; i < n; i++)
		text_printf(&t, "%s{ .%s = %s }", i ? ", " : "", s->key_type[i] == TY_STRING ? "string" : "number",
			    v[i].text);
	ret = arena_printf(&program_arena, "kt_map_find(%s, (const union kt_key[]){ %s })", gen_map(g, s),
			   text_str(&t));
	text_deinit(&t);
	return ret;
}

struct value gen_stat(struct gen *g, const struct node *n)
{
	const struct node *operand = n->kid[0];
	const struct symbol *s = stat_symbol(operand);
	const char *words = gen_stat_words(g, operand);
	struct value param = n->op == OP_PCT && n->list ? gen_expr(g, n->list) : (struct value){ .text = "0" };
	struct value v = { .text = gen_temp(g) };

	gen_line(g, "%s = kt_stat_get(c, %s, &%s, %d, %s);", v.text, words, stat_type_text(g, s), stat_op(n->op),
		 param.text);
	gen_check(g, n);
	return v;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: s <<< v, the @-operators, histograms, in terms of core/stat.h. Their types: storage.c; elements of arrays: array.c.
 *
 * A scalar aggregate that is a COUNTER has a copy per CPU at offset o_s; owners see g_s, merged when their handler
 * took the lock, and add to both. Any other scalar is g_s alone.
 */
#include "translator/gen/parts.h"

#include "runtime/core/map.h"

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
	_cleanup_text_ struct text t = { 0 };
	struct value v[9];
	struct node *kids[9] = { NULL };
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
	return arena_printf(&program_arena, "kt_map_find(%s, (const union kt_key[]){ %s })", gen_map(g, s),
			   text_str(&t));
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

struct value gen_bucket(struct gen *g, const struct node *n)
{
	const struct node *operand = n->kid[0]->kid[0];
	struct value at = gen_expr(g, n->list), v = { .text = gen_temp(g) };

	gen_line(g, "%s = kt_hist_bucket(c, %s, &%s, %s);", v.text, gen_stat_words(g, operand), stat_type_text(g, stat_symbol(operand)), at.text);
	gen_check(g, n);
	return v;
}

struct value gen_has_bucket(struct gen *g, const struct node *n)
{
	const struct node *operand = n->kid[0]->kid[0];
	struct value at = gen_expr(g, n->list);
	const char *words = gen_stat_words(g, operand);

	return gen_hold(g, value_of("kt_hist_has(%s, &%s, %s)", words, stat_type_text(g, stat_symbol(operand)), at.text), TY_LONG);
}

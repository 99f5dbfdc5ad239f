/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach over arrays and over the buckets of histograms. */
#include "translator/gen/parts.h"

#include "translator/sema/pass.h"

/* Scratch space of a sorted loop: loops that may be open at once differ. A function may run inside any loop, so each
 * of its loops has separate space. */
static int sort_slot(struct gen *g, const struct node *map)
{
	int *slots = &g->sort_slots[map->sym->index], slot = g->sort_base[map->sym->index];

	if (g->u->func)
		return (*slots)++;
	for (int i = 0; i < g->u->n_sorted; i++)
		slot += g->u->sorted[i]->sym == map->sym;
	if (slot + 1 > *slots)
		*slots = slot + 1;
	return slot;
}

static void loop_body(struct gen *g, const struct node *n)
{
	int outer = g->u->loop, label = g->u->loop = g->u->n_labels++;
	bool continued = g->u->continued;

	g->u->continued = false;
	if (g->u->counted)
		gen_line(g, "KT_ACTIONS(%d, %d);", count_statements(n->kid[2]) + 1, gen_place(g, n));
	gen_stmt(g, n->kid[2]);
	if (g->u->continued)
		gen_line(g, "kt_next_%d: __attribute__((unused));", label);
	g->u->loop = outer;
	g->u->continued = continued;
}

/* foreach (i in @hist_log(s)): bucket numbers. */
static void foreach_bucket(struct gen *g, const struct node *n)
{
	const struct foreach *fe = n->foreach;
	const struct node *operand = n->kid[0]->kid[0];
	struct value limit = n->kid[1] ? gen_hold(g, gen_expr(g, n->kid[1]), TY_LONG) : (struct value){ 0 };
	const char *type = stat_type_text(g, stat_symbol(operand)), *words;
	const char *at = gen_temp(g), *left = gen_temp(g);

	words = gen_stat_words(g, operand);
	if (fe->value) {
		const char *pointer = gen_pointer(g);

		gen_line(g, "%s = %s;", pointer, words);
		words = pointer;
	}
	gen_line(g, "%s = %s;", left, limit.text ? limit.text : "KT_NO_LIMIT");
	gen_open(g, "for (%s = 0; %s < %s.buckets && %s > 0; %s++, %s--) {", at, at, type, left, at, left);
	if (fe->keys)
		gen_set_scalar(g, fe->keys->sym, fe->dir == SORT_DOWN && fe->sort_by > 0 ?
			       arena_printf(&program_arena, "(kt_s64)%s.buckets - 1 - %s", type, at) : at);
	if (fe->value) {
		const char *bucket = fe->keys ? gen_name(g, fe->keys).text : at;

		gen_line(g, "%s = kt_hist_bucket(c, %s, &%s, %s);", gen_name(g, fe->value).text, words, type,
			 bucket);
		gen_check(g, n);
	}
	loop_body(g, n);
	gen_close(g, "}");
}

static void set_loop_variables(struct gen *g, const struct node *n, int id)
{
	const struct foreach *fe = n->foreach;
	const struct symbol *map = n->kid[0]->sym;
	int i = 0;

	for (const struct node *key = fe->keys; key; key = key->next, i++) {
		if (key->kind != ND_NAME)
			continue;
		if (key->sym->type == TY_STRING)
			gen_line(g, "kt_loop_string(&loop%d, %d, %s, KT_STR);", id, i, gen_name(g, key).text);
		else
			gen_set_scalar(g, key->sym, arena_printf(&program_arena, "kt_loop_long(&loop%d, %d)", id, i));
	}
	if (!fe->value)
		return;
	if (map->type == TY_STRING)
		gen_line(g, "kt_loop_string(&loop%d, %d, %s, KT_STR);", id, map->arity, gen_name(g, fe->value).text);
	else /* the value of an aggregate is its count */
		gen_set_scalar(g, fe->value->sym, arena_printf(&program_arena, "*%s", gen_loop_value(map, id)));
}

static void loop_struct(struct gen *g, const struct node *n, int id, const char *limit, bool slice, unsigned any)
{
	const struct foreach *fe = n->foreach;
	const struct symbol *map = n->kid[0]->sym;
	_cleanup_text_ struct text t = { 0 };

	text_printf(&t, ".map = %s, ", gen_map(g, map));
	if (fe->dir == SORT_NONE)
		text_puts(&t, ".sort = KT_SORT_NONE, ");
	else if (fe->sort_by > 0)
		text_printf(&t, ".sort = %d, ", fe->sort_by - 1);
	else
		text_puts(&t, ".sort = KT_SORT_VALUE, ");
	if (fe->dir == SORT_DOWN)
		text_puts(&t, ".down = 1, ");
	if (map->type == TY_STAT)
		text_printf(&t, ".op = %d, ", fe->sort_op == OP_NONE ? 0 : stat_op(fe->sort_op));
	text_printf(&t, ".limit = %s", limit ? limit : "KT_NO_LIMIT");
	if (fe->dir != SORT_NONE)
		text_printf(&t, ", .slot = %d", sort_slot(g, n->kid[0]));
	if (slice)
		text_printf(&t, ", .slice = slice%d, .any = %u", id, any);
	gen_line(g, "struct kt_loop loop%d = { %s };", id, text_str(&t));
}

/* Each kind of loop has the functions that leave out what it does not need. */
static void open_loop(struct gen *g, const struct foreach *fe, int id)
{
	if (fe->dir != SORT_NONE)
		gen_open(g, "for (kt_loop_start(c, &loop%d); kt_loop_next_sorted(c, &loop%d);) {", id, id);
	else if (fe->slice)
		gen_open(g, "for (kt_loop_start(c, &loop%d); kt_loop_next(c, &loop%d);) {", id, id);
	else
		gen_open(g, "for (kt_loop_start_plain(&loop%d); kt_loop_next_plain(c, &loop%d);) {", id, id);
}

/* Does the body change a variable of the loop's keys? */
struct key_search {
	const struct node *keys;
	bool found;
};

static void search_key(struct key_search *s, const struct node *target)
{
	for (const struct node *key = s->keys; key; key = key->next)
		s->found |= target && target->kind == ND_NAME && target->sym == key->sym;
}

static bool find_key_write(struct node *n, void *data)
{
	struct key_search *s = data;

	if (n->kind == ND_ASSIGN || n->kind == ND_INCDEC || n->kind == ND_DELETE)
		search_key(s, n->kid[0]);
	if (n->kind == ND_TRY)
		search_key(s, n->kid[2]);
	if (n->kind == ND_FOREACH) {
		for (const struct node *key = n->foreach->keys; key; key = key->next)
			search_key(s, key);
		search_key(s, n->foreach->value);
	}
	s->found |= n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR; /* may write any */
	return !s->found;
}

/* Is A[KEYS] the loop's element wherever it stands in the body of N? */
static bool keys_stay(const struct node *n)
{
	struct key_search s = { .keys = n->foreach->keys };

	for (const struct node *key = s.keys; key; key = key->next) {
		if (key->kind != ND_NAME || key->sym->global)
			return false;
		for (const struct node *other = key->next; other; other = other->next)
			if (other->kind == ND_NAME && other->sym == key->sym)
				return false;
		if (n->foreach->value && n->foreach->value->sym == key->sym)
			return false;
	}
	node_visit(n->kid[2], find_key_write, &s);
	return s.keys && !s.found;
}

void gen_foreach(struct gen *g, const struct node *n)
{
	const struct foreach *fe = n->foreach;
	struct value limit = { 0 };
	int mark = g->u->slots, id = g->u->n_labels++;
	const struct walked walked = { .loop = n, .id = id, .outer = g->u->walked };
	struct keys k = { .any = 0 };

	if (n->kid[0]->kind == ND_HIST) {
		foreach_bucket(g, n);
		g->u->slots = mark;
		return;
	}
	if (fe->slice) {
		gen_keys(g, n->kid[0]->sym, fe->slice, NULL, &k);
		for (int i = 0; i < k.n; i++) /* the body may change what the keys were made of */
			if (!(k.any & 1u << i))
				k.v[i] = gen_hold(g, k.v[i], k.type[i]);
	}
	if (n->kid[1])
		limit = gen_expr(g, n->kid[1]);
	gen_open(g, "{");
	if (fe->slice)
		gen_line(g, "const union kt_key slice%d[] = { %s };", id, gen_keys_init(&k));
	loop_struct(g, n, id, limit.text, fe->slice, k.any);
	gen_blank(g);
	open_loop(g, fe, id);
	set_loop_variables(g, n, id);
	if (fe->dir != SORT_NONE && g->u->n_sorted < 16)
		g->u->sorted[g->u->n_sorted++] = n->kid[0];
	if (keys_stay(n))
		g->u->walked = &walked;
	loop_body(g, n);
	g->u->walked = walked.outer;
	if (fe->dir != SORT_NONE && g->u->n_sorted > 0)
		g->u->n_sorted--;
	gen_close(g, "}");
	gen_check(g, n);
	gen_close(g, "}");
	g->u->slots = mark;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: elements, membership, delete and foreach, in terms of core/map.h. Keys are evaluated before the map is
 * touched, so a value pointer is used at once.
 */
#include <string.h>

#include "runtime/core/map.h"
#include "translator/gen/internal.h"
#include "translator/sema/pass.h"

enum {
	KEYS_MAX = 9,
	LOOKUPS_INLINE = 32, /* lookups by a number that a function has inline; each takes gcc 4 ms */
};

/* The evaluated keys of one access. */
struct keys {
	struct value v[KEYS_MAX + 1];
	enum type type[KEYS_MAX];
	int n;
	unsigned any; /* bit i: a wildcard */
	bool hashed;  /* the one key is a struct kt_hashed */
};

bool gen_is_map(struct gen *g, const struct symbol *s)
{
	return s->array || g->plan.boxed[s->index];
}

const char *gen_map(struct gen *g, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	return arena_printf(&program_arena, s->plan == PLAN_COUNTER ? "&m%s.total" : "&m%s", name);
}

/* Evaluates the keys, and LAST (the right side of an assignment) after them if it is not NULL. */
static void keys_eval(struct gen *g, const struct symbol *s, struct node *list, struct node *last, struct keys *k)
{
	struct node *kids[KEYS_MAX + 1];
	struct value v[KEYS_MAX + 1];
	int n = 0;

	*k = (struct keys){ .n = 0 };
	for (struct node *key = list; key; key = key->next, k->n++) {
		k->type[k->n] = s->key_type[k->n];
		if (key->kind == ND_STAR)
			k->any |= 1u << k->n;
		else
			kids[n++] = key;
	}
	if (last)
		kids[n++] = last;
	gen_list(g, kids, n, v);
	n = 0;
	for (int i = 0; i < k->n; i++)
		k->v[i] = k->any & 1u << i ? (struct value){ .text = "0" } : v[n++];
	if (last)
		k->v[k->n] = v[n];
}

static bool find_call(struct node *n, void *data)
{
	*(bool *)data |= n->kind == ND_CALL || n->kind == ND_EMBED_EXPR;
	return true;
}

static bool has_call(struct node *n)
{
	bool found = false;

	node_walk(n, find_call, &found);
	return found;
}

/* The same for C of call_map() or count_element(), which take a string with its hash. A call in LAST might overwrite such a string. */
static void element_eval(struct gen *g, const struct symbol *s, struct node *key, struct node *last, struct keys *k)
{
	if (s->type == TY_STRING || key->next || !gen_is_hashed(g, key) || (last && has_call(last))) {
		keys_eval(g, s, key, last, k);
		return;
	}
	*k = (struct keys){ .type = { TY_STRING }, .n = 1, .hashed = true };
	k->v[0] = gen_hashed(g, key);
	if (last)
		k->v[1] = gen_expr(g, last);
}

/* `{ .number = 1 }, { .string = "x" }` */
static const char *keys_init(const struct keys *k)
{
	const char *text = "";

	for (int i = 0; i < k->n; i++)
		text = arena_printf(&program_arena, "%s%s{ .%s = %s }", text, i ? ", " : "",
				    k->type[i] == TY_STRING && !(k->any & 1u << i) ? "string" : "number",
				    k->v[i].text);
	return text;
}

static const char *keys_text(const struct keys *k)
{
	return arena_printf(&program_arena, "(const union kt_key[]){ %s }", keys_init(k));
}

static bool one_key(const struct keys *k, enum type type)
{
	return k->n == 1 && k->type[0] == type && !k->any;
}

/* Returns the suffix of a function's variant for K. After LOOKUPS_INLINE lookups in a function, the rest are calls. */
static const char *key_variant(struct gen *g, const struct keys *k)
{
	if (one_key(k, TY_LONG))
		return g->u->n_lookups++ < LOOKUPS_INLINE ? "_i" : "_far";
	if (k->hashed)
		return "_h";
	return one_key(k, TY_STRING) ? "_s" : "";
}

/* Returns what that variant takes as keys. */
static const char *key_argument(const struct keys *k)
{
	return one_key(k, TY_LONG) || one_key(k, TY_STRING) ? k->v[0].text : keys_text(k);
}

/* A pointer to the value's words, as C text: WHAT is find, get or ref. */
static const char *call_map(struct gen *g, const char *what, const struct symbol *s, const struct keys *k)
{
	const char *c = !strcmp(what, "ref") ? "c, " : "";

	return arena_printf(&program_arena, "kt_map_%s%s(%s%s, %s)", what, key_variant(g, k), c, gen_map(g, s), key_argument(k));
}

static const char *new_pointer(struct gen *g)
{
	return arena_printf(&program_arena, "e%d", g->u->n_pointers++);
}

/* A string element, in a slot. */
static struct value get_string(struct gen *g, const struct symbol *s, const struct keys *k)
{
	struct value v = { .text = gen_slot(g), .slot = true };

	gen_line(g, "kt_map_get_string(%s, %s, %s, KT_STR);", gen_map(g, s), keys_text(k), v.text);
	return v;
}

int gen_loop_of(const struct gen *g, const struct node *n)
{
	for (const struct walked *w = g->u->walked; w; w = w->outer) {
		const struct node *key = w->loop->foreach->keys, *k = n->list;

		if (w->loop->kid[0]->sym != n->kid[0]->sym)
			continue;
		while (key && k && k->kind == ND_NAME && k->sym == key->sym) {
			key = key->next;
			k = k->next;
		}
		if (!key && !k)
			return w->id;
	}
	return -1;
}

const char *gen_loop_value(const struct symbol *s, int loop)
{
	return arena_printf(&program_arena, "kt_loop_value(&loop%d, %d)", loop, s->arity);
}

/* The value of the element that the loop LOOP is at. */
static struct value get_walked(struct gen *g, const struct symbol *s, int loop)
{
	struct value v = { .slot = true };

	if (s->type != TY_STRING)
		return gen_hold(g, value_of("*%s", gen_loop_value(s, loop)), TY_LONG);
	v.text = gen_slot(g);
	gen_line(g, "kt_loop_string(&loop%d, %d, %s, KT_STR);", loop, s->arity, v.text);
	return v;
}

struct value gen_index(struct gen *g, const struct node *n)
{
	const struct symbol *s = n->kid[0]->sym;
	struct value v = { 0 }, at;
	struct keys k;
	int loop;

	if (n->kid[0]->kind == ND_HIST) {
		at = gen_expr(g, n->list);
		v.text = gen_temp(g);
		gen_line(g, "%s = kt_hist_bucket(c, %s, &%s, %s);", v.text, gen_stat_words(g, n->kid[0]->kid[0]),
			 stat_type_text(g, stat_symbol(n->kid[0]->kid[0])), at.text);
		gen_check(g, n);
		return v;
	}
	loop = gen_loop_of(g, n);
	if (loop >= 0)
		return get_walked(g, s, loop);
	element_eval(g, s, n->list, NULL, &k);
	if (s->type == TY_STRING)
		return get_string(g, s, &k);
	v.text = call_map(g, "get", s, &k);
	return gen_hold(g, v, TY_LONG);
}

struct value gen_in(struct gen *g, const struct node *n)
{
	const struct symbol *s = n->kid[0]->sym;
	struct value held;
	struct keys k;

	if (n->kid[0]->kind == ND_HIST) {
		const struct node *operand = n->kid[0]->kid[0];
		struct value at = gen_expr(g, n->list);
		const char *words = gen_stat_words(g, operand);

		return gen_hold(g, value_of("kt_hist_has(%s, &%s, %s)", words, stat_type_text(g, stat_symbol(operand)),
					    at.text), TY_LONG);
	}
	keys_eval(g, s, n->list, NULL, &k);
	held = gen_hold(g, value_of("kt_map_has(c, %s, %s, %u)", gen_map(g, s), keys_text(&k), k.any), TY_LONG);
	if (k.any)
		gen_check(g, n);
	return held;
}

/* The key of a scalar that is the one element of a map. */
static const struct keys box_key = { .v = { { .text = "0", .constant = true } }, .type = { TY_LONG }, .n = 1 };

/* A hit of a COUNTER: `STATEMENT` with the element as *e. */
static void count_element(struct gen *g, const struct node *n, const struct symbol *s, const struct keys *k,
			  const char *statement)
{
	const char *name = g->global_name[s->index];

	gen_open(g, "{");
	gen_line(g, "kt_s64 *e = kt_pmap_ref%s(c, o%s, %s);", key_variant(g, k), name, key_argument(k));
	gen_open(g, "if (kt_likely(e)) {");
	gen_line(g, "%s", statement);
	gen_line(g, "kt_pmap_done(c, o%s);", name);
	g->u->code.indent--;
	gen_open(g, "} else {");
	gen_check(g, n);
	gen_line(g, "goto kt_leave;");
	gen_close(g, "}");
	gen_close(g, "}");
}

void gen_boxed_add(struct gen *g, const struct node *n, const struct symbol *s, const char *value)
{
	const char *type = stat_type_text(g, s), *e;

	if (gen_is_counter(g, s)) {
		count_element(g, n, s, &box_key, arena_printf(&program_arena, "kt_stat_add(e, &%s, %s);", type, value));
		return;
	}
	e = new_pointer(g);
	gen_line(g, "%s = %s;", e, call_map(g, "ref", s, &box_key));
	gen_check(g, n);
	gen_line(g, "kt_stat_add(%s, &%s, %s);", e, type, value);
}

/* a[k] .= e and a[k] = e of strings */
static struct value assign_string(struct gen *g, const struct node *n, const struct symbol *s, struct keys *k,
				  bool wanted)
{
	struct value v = k->v[k->n];

	if (n->op == OP_CAT_ASSIGN) {
		struct value old = get_string(g, s, k);

		gen_line(g, "kt_strcat(%s, %s, KT_STR);", old.text, v.text);
		v = old;
	} else if (wanted) {
		v = gen_hold(g, v, TY_STRING);
	}
	gen_line(g, "kt_map_set_string(c, %s, %s, %s);", gen_map(g, s), keys_text(k), v.text);
	gen_check(g, n);
	return v;
}

struct value gen_array_assign(struct gen *g, const struct node *n, bool wanted)
{
	const struct symbol *s = n->kid[0]->kid[0]->sym;
	const char *e, *text, *old;
	struct keys k;
	bool fails = false;

	element_eval(g, s, n->kid[0]->list, n->kid[1], &k);
	if (s->type == TY_STRING)
		return assign_string(g, n, s, &k, wanted);
	text = k.v[k.n].text;
	if (s->type == TY_STAT) {
		if (gen_is_counter(g, s)) {
			count_element(g, n, s, &k, arena_printf(&program_arena, "kt_stat_add(e, &%s, %s);",
								stat_type_text(g, s), text));
			return gen_constant(0);
		}
		e = new_pointer(g);
		gen_line(g, "%s = %s;", e, call_map(g, "ref", s, &k));
		gen_check(g, n);
		gen_line(g, "kt_stat_add(%s, &%s, %s);", e, stat_type_text(g, s), text);
		return gen_constant(0);
	}
	if (!wanted && gen_is_counter(g, s)) {
		count_element(g, n, s, &k, arena_printf(&program_arena, "*e %s= %s;",
							n->op == OP_ADD_ASSIGN ? "+" : "-", text));
		return gen_constant(0);
	}
	/* A failure must not leave an element: the divisor is checked first. */
	if (n->op == OP_DIV_ASSIGN || n->op == OP_MOD_ASSIGN)
		gen_line(g, "(void)%s;", gen_template(g, n, "0", text, &fails));
	e = new_pointer(g);
	gen_line(g, "%s = %s;", e, call_map(g, "ref", s, &k));
	gen_check(g, n);
	if (n->op != OP_ASSIGN) {
		old = arena_printf(&program_arena, "*%s", e);
		text = gen_template(g, n, old, text, &fails);
	}
	gen_line(g, "*%s = %s;", e, text);
	return wanted ? gen_hold(g, value_of("*%s", e), TY_LONG) : gen_constant(0);
}

struct value gen_array_incdec(struct gen *g, const struct node *n, bool wanted)
{
	const struct symbol *s = n->kid[0]->kid[0]->sym;
	bool post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
	const char *sign = n->op == OP_PREINC || n->op == OP_POSTINC ? "+" : "-";
	struct value v = gen_constant(0);
	const char *e;
	struct keys k;

	element_eval(g, s, n->kid[0]->list, NULL, &k);
	if (!wanted && gen_is_counter(g, s)) {
		count_element(g, n, s, &k, arena_printf(&program_arena, "*e %s= 1;", sign));
		return v;
	}
	e = new_pointer(g);
	gen_line(g, "%s = %s;", e, call_map(g, "ref", s, &k));
	gen_check(g, n);
	if (wanted && post)
		v = gen_hold(g, value_of("*%s", e), TY_LONG);
	gen_line(g, "*%s %s= 1;", e, sign);
	if (wanted && !post)
		v = gen_hold(g, value_of("*%s", e), TY_LONG);
	return v;
}

void gen_delete(struct gen *g, const struct node *n)
{
	const struct node *lvalue = n->kid[0];
	const struct symbol *s = lvalue->kind == ND_INDEX ? lvalue->kid[0]->sym : lvalue->sym;
	struct keys k;

	if (lvalue->kind == ND_INDEX) {
		keys_eval(g, s, lvalue->list, NULL, &k);
		gen_line(g, "kt_map_delete(c, %s, %s, %u);", gen_map(g, s), keys_text(&k), k.any);
		if (k.any)
			gen_check(g, n);
	} else if (gen_is_map(g, s)) {
		gen_line(g, "kt_map_clear(c, %s);", gen_map(g, s));
		gen_check(g, n);
	} else if (s->type == TY_STAT) {
		if (s->plan == PLAN_COUNTER) /* in begin and end: nobody adds */
			gen_line(g, "kt_percpu_clear(o%s, KT_LEVELS * sizeof(g%s));", g->global_name[s->index],
				 g->global_name[s->index]);
		gen_line(g, "__builtin_memset(g%s, 0, sizeof(g%s));", g->global_name[s->index],
			 g->global_name[s->index]);
	} else {
		gen_set_scalar(g, s, s->type == TY_STRING ? "\"\"" : "0");
	}
}

/* ---- foreach ---- */

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
		gen_line(g, "KT_ACTIONS(%d, %d);", stmt_cost(n->kid[2]) + 1, gen_place(g, n));
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
		const char *pointer = new_pointer(g);

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
	struct text t = { 0 };

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
	text_deinit(&t);
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
		keys_eval(g, n->kid[0]->sym, fe->slice, NULL, &k);
		for (int i = 0; i < k.n; i++) /* the body may change what the keys were made of */
			if (!(k.any & 1u << i))
				k.v[i] = gen_hold(g, k.v[i], k.type[i]);
	}
	if (n->kid[1])
		limit = gen_expr(g, n->kid[1]);
	gen_open(g, "{");
	if (fe->slice)
		gen_line(g, "const union kt_key slice%d[] = { %s };", id, keys_init(&k));
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

/* ---- tables ---- */
static struct kt_map_type map_type(struct gen *g, const struct symbol *s)
{
	struct kt_map_type t = { .n_keys = s->array ? (kt_u32)s->arity : 1, .wrap = s->wrap, .string_max = (kt_u32)g->string_max };
	long long size = gen_is_map(g, s) && !s->array ? 1 : s->size;

	if (!size)
		size = g->map_entries;
	if (size > KT_ENTRIES_MAX) {
		error(s->loc, DIAG_USAGE, "'%s' has %lld elements, at most %d are possible", s->name, size, KT_ENTRIES_MAX);
		g->failed = true;
		size = KT_ENTRIES_MAX;
	}
	t.entries = (kt_u32)size;
	t.value = s->type == TY_STRING ? KT_VALUE_STRING : s->type == TY_STAT ? KT_VALUE_STAT : KT_VALUE_LONG;
	t.sort_slots = (kt_u32)g->sort_slots[s->index];
	t.text_share = (kt_u32)(g->map_string ? (int)g->map_string : text_share(s, g->string_max, size));
	for (int i = 0; i < s->arity; i++)
		if (s->key_type[i] == TY_STRING)
			t.string_keys |= 1u << i;
	return t;
}

void gen_define_map(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];
	struct kt_map_type t = map_type(g, s);
	struct kt_stat_type stat;

	if (s->type == TY_STAT) {
		stat = gen_stat_type(g, s);
		t.stat = &stat;
		gen_define_stat(g, out, s);
	}
	memory_note(g->p, s, &t);
	emit_open(out, "static const struct kt_map_type t%s = {", name);
	emit_line(out, ".name = \"%s\", .n_keys = %u, .string_keys = %u, .string_max = KT_STR,", s->name, t.n_keys, t.string_keys);
	emit_line(out, ".value = %s,", s->type == TY_STRING ? "KT_VALUE_STRING" :
		  s->type == TY_STAT ? "KT_VALUE_STAT" : "KT_VALUE_LONG");
	emit_line(out, ".entries = %u, .wrap = %u, .sort_slots = %u, .text_share = %u,", t.entries, t.wrap, t.sort_slots, t.text_share);
	if (s->type == TY_STAT)
		emit_line(out, ".stat = &%s,", stat_type_text(g, s));
	emit_close(out, "};");
	emit_line(out, "static struct %s m%s;", s->plan == PLAN_COUNTER ? "kt_pmap" : "kt_map", name);
}

void gen_init_map(struct gen *g, struct text *out, const struct symbol *s)
{
	const char *name = g->global_name[s->index];

	if (s->plan == PLAN_COUNTER)
		emit_line(out, "error = error ? error : kt_pmap_init(&m%s, &t%s, o%s);", name, name, name);
	else
		emit_line(out, "error = error ? error : kt_map_init(&m%s, &t%s);", name, name);
}

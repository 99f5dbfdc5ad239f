/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: elements, membership and delete, in terms of core/map.h. foreach: foreach.c. Keys are evaluated before the map is
 * touched, so a value pointer is used at once.
 */
#include "translator/gen/parts.h"

#include <string.h>

#include "runtime/core/map.h"

enum { LOOKUPS_INLINE = 32 }; /* lookups by a number that a function has inline; each takes gcc 4 ms */

/* Evaluates the keys, and LAST (the right side of an assignment) after them if it is not NULL. */
void gen_keys(struct gen *g, const struct symbol *s, struct node *list, struct node *last, struct keys *k)
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
		gen_keys(g, s, key, last, k);
		return;
	}
	*k = (struct keys){ .type = { TY_STRING }, .n = 1, .hashed = true };
	k->v[0] = gen_hashed(g, key);
	if (last)
		k->v[1] = gen_expr(g, last);
}

/* `{ .number = 1 }, { .string = "x" }` */
const char *gen_keys_init(const struct keys *k)
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
	return arena_printf(&program_arena, "(const union kt_key[]){ %s }", gen_keys_init(k));
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
	struct value v = { 0 };
	struct keys k;
	int loop = gen_loop_of(g, n);

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

	gen_keys(g, s, n->list, NULL, &k);
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
	e = gen_pointer(g);
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
		e = gen_pointer(g);
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
	e = gen_pointer(g);
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
	e = gen_pointer(g);
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
		gen_keys(g, s, lvalue->list, NULL, &k);
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


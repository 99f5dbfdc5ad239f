/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers: the body of a probe between its locks.
 *
 * The globals that other handlers change are locked from the first statement of the body that uses one to the last,
 * all at once and in one order: the handler sees them at one moment, and no two handlers wait for each other. Where that is one `if` whose
 * condition uses none, each arm locks what it uses: a hit that the condition filters out takes no lock.
 */

#include "translator/gen/parts.h"

#include <string.h>

#include "translator/probe/probe.h"

static bool needs_lock(const struct probe *pr, const struct symbol *s, unsigned flags)
{
	return flags && !probe_is_alone(pr) &&
	       (s->plan == PLAN_LOCKED || (s->plan == PLAN_COUNTER && plan_owner(pr, flags)));
}

/* An owner works on the sum of what all CPUs counted. */
static bool needs_sync(const struct probe *pr, const struct symbol *s, unsigned flags)
{
	return flags && s->plan == PLAN_COUNTER && plan_owner(pr, flags);
}

/* The condition and the statements of a body, or the statements of a part of it, in one list. */
struct items {
	struct node **item;
	int n;
	bool condition; /* the first is the probe's condition */
	bool inner;     /* a part of the body, which may go on after it */
};

static struct items items_of(struct node *condition, struct node *list)
{
	struct items it = { .n = condition != NULL, .condition = condition != NULL };
	int n = it.n;

	for (struct node *s = list; s; s = s->next)
		n++;
	it.item = arena_array(&program_arena, struct node *, n + 1);
	if (condition)
		it.item[0] = condition;
	for (struct node *s = list; s; s = s->next)
		it.item[it.n++] = s;
	return it;
}

/* The uses of globals in N items. */
static struct uses uses_of(const struct gen *g, struct node **item, int n)
{
	struct uses uses = plan_uses_new(&g->plan);

	for (int i = 0; i < n; i++)
		plan_uses(&g->plan, item[i], &uses);
	return uses;
}

/* N uses a global that this handler has to hold. */
static bool holds(struct gen *g, const struct probe *pr, struct node *n)
{
	struct uses uses = uses_of(g, &n, 1);

	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];
		unsigned flags = g->u->uses.flags[i];

		if (uses.flags[i] && (needs_lock(pr, s, flags) || needs_sync(pr, s, flags)))
			return true;
	}
	return false;
}

/* The initialiser of a list of locks: those of globals in USES. */
static const char *lock_list(struct gen *g, const struct probe *pr, const struct uses *uses, int *ret_n)
{
	struct text list = { 0 };

	*ret_n = 0;
	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];
		unsigned flags = g->u->uses.flags[i];

		if (uses->flags[i] && needs_lock(pr, s, flags))
			text_printf(&list, "%s{ &k%s, %d }", (*ret_n)++ ? ", " : "", g->global_name[i],
				    s->plan == PLAN_COUNTER || (flags & ~(unsigned)USE_READ) != 0);
	}
	return text_keep(&list);
}

/* Does the handler move what CPUs counted into one array? */
static bool syncs_map(struct gen *g, const struct probe *pr)
{
	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];

		if (gen_is_map(g, s) && needs_sync(pr, s, g->u->uses.flags[i]))
			return true;
	}
	return false;
}

static void gen_sync(struct gen *g, const struct probe *pr, const struct uses *uses)
{
	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];
		const char *name = g->global_name[i];

		if (!uses->flags[i] || !needs_sync(pr, s, g->u->uses.flags[i]))
			continue;
		if (gen_is_map(g, s)) {
			gen_line(g, "kt_pmap_sync(c, &m%s);", name);
			gen_check(g, pr->body);
		} else if (s->type == TY_STAT) {
			gen_line(g, "kt_stat_collect(g%s, &s%s, o%s);", name, name, name);
		} else {
			gen_line(g, "n%s = kt_percpu_sum(o%s);", name, name);
		}
	}
}

static void gen_items(struct gen *g, const struct items *it, int from, int to)
{
	for (int i = from; i < to; i++) {
		if (i == 0 && it->condition) {
			gen_line(g, g->u->condition ? "if (%s)" : "if (!%s)", gen_cond(g, it->item[0]));
			gen_line(g, g->u->condition ? "\tc->flags |= KT_CTX_HOLDS;" : "\tgoto kt_leave;");
			continue;
		}
		if (g->u->counted)
			gen_line(g, "KT_ACTIONS(%d, %d);", count_statement(it->item[i]), gen_place(g, it->item[i]));
		gen_stmt(g, it->item[i]);
	}
}

/* The items that hold globals: errors and `next` leave through the end of the block, where the locks are given back. */
static void gen_held(struct gen *g, const struct probe *pr, const struct items *it, int from, int to)
{
	struct uses uses = uses_of(g, it->item + from, to - from);
	const char *locks, *left;
	int n;

	locks = lock_list(g, pr, &uses, &n);
	if (!n) {
		gen_sync(g, pr, &uses);
		gen_items(g, it, from, to);
		return;
	}
	left = gen_temp(g);
	gen_open(g, "{");
	gen_line(g, "static const struct kt_lock_use locks[] = { %s };", locks);
	gen_blank(g);
	gen_line(g, "if (!kt_lock_all(c, locks, %d))", n);
	gen_line(g, "\tgoto kt_leave;");
	gen_line(g, "%s = 0;", left);
	gen_open(g, "{");
	gen_line(g, "__label__ kt_fail, kt_leave;");
	gen_blank(g);
	gen_sync(g, pr, &uses);
	gen_items(g, it, from, to);
	gen_open(g, "if (0) {");
	gen_line(g, "kt_fail: __attribute__((unused));");
	gen_line(g, "kt_leave: __attribute__((unused));");
	gen_line(g, "%s = 1;", left);
	gen_close(g, "}");
	gen_close(g, "}");
	gen_line(g, "kt_unlock_all(locks, %d);", n);
	if (to < it->n || it->inner) {
		gen_line(g, "if (%s)", left);
		gen_line(g, "\tgoto kt_leave;");
	}
	gen_close(g, "}");
}

static void gen_locking_arm(struct gen *g, struct node *n);

/* Generates the items of IT. Locks are taken around the items that hold globals. */
static void gen_around(struct gen *g, const struct probe *pr, struct items *it)
{
	int from = 0, to = it->n;

	while (from < to && !holds(g, pr, it->item[from]))
		from++;
	while (to > from && !holds(g, pr, it->item[to - 1]))
		to--;
	gen_items(g, it, 0, from);
	if (to - from == 1 && it->item[from]->kind == ND_BLOCK) {
		gen_locking_arm(g, it->item[from]);
	} else if (to - from == 1 && it->item[from]->kind == ND_IF && !holds(g, pr, it->item[from]->kid[0])) {
		g->u->arm = gen_locking_arm;
		gen_items(g, it, from, to);
	} else if (from < to) {
		gen_held(g, pr, it, from, to);
	}
	gen_items(g, it, to, it->n);
}

/* An arm of the `if` whose arms take their locks themselves. */
static void gen_locking_arm(struct gen *g, struct node *n)
{
	struct node *one[] = { n };
	struct items it = n->kind == ND_BLOCK ? items_of(NULL, n->list) : (struct items){ .item = one, .n = 1 };

	it.inner = true;
	gen_around(g, g->u->probe, &it);
}

/* ---- conditions ---- */
static bool find_access(struct node *n, void *data)
{
	*(bool *)data |= n->access != NULL;
	return !*(bool *)data;
}

/* Begin, end and error probes run once; what the probed program holds is known at a hit only. */
bool gen_has_condition(const struct probe *pr)
{
	bool at_hit = false;

	if (!pr->condition || probe_is_alone(pr))
		return false;
	node_walk(pr->condition, find_access, &at_hit);
	return !at_hit;
}

/* Does a condition read a global that this handler writes? */
static bool changes_condition(const struct gen *g)
{
	for (int i = 0; i < g->plan.n_globals; i++)
		if (g->condition_uses.flags[i] && (g->u->uses.flags[i] & (USE_WRITE | USE_COUNT)))
			return true;
	return false;
}

/* Whether the code of this handler counts statements itself. */
static bool code_counts(struct gen *g)
{
	return strstr(text_str(&g->u->code), "KT_ACTIONS(");
}

/* Decides which state the handler sets before it runs, and emits that. */
static void gen_start(struct gen *g, struct node *body, struct node *condition)
{
	g->u->acts = g->n_pieces || g->u->calls || g->u->looks || code_counts(g);
	g->u->frame = g->n_pieces || func_frame_slots(g, body, condition);
	g->u->visits = syncs_map(g, g->u->probe) || func_visits(g, body, condition);
	/* Snapshots run in the same task, one after the other: their records do not mix. */
	g->handler_visits = g->u->visits || (g->u->probe && g->u->probe->def->synthetic);
}

void gen_condition(struct gen *g, const struct probe *pr, struct text *ret_body)
{
	struct items it = items_of(pr->condition, NULL);
	struct unit u;

	unit_begin(g, &u);
	u.probe = pr;
	u.condition = true;
	u.uses = plan_uses_new(&g->plan);
	plan_uses(&g->plan, pr->condition, &u.uses);
	gen_match_state(g);
	gen_held(g, pr, &it, 0, 1);
	gen_start(g, NULL, pr->condition);

	emit_open(ret_body, "{");
	unit_write(g, ret_body, NULL, NULL);
	emit_line(ret_body, "kt_fail: __attribute__((unused));");
	emit_line(ret_body, "kt_leave: __attribute__((unused));");
	emit_line(ret_body, ";");
	emit_close(ret_body, "}");
	text_puts(ret_body, "\n");
	g->handler_slots = u.max_slots;
}

/* ---- handlers ---- */
/* The members `at` and `add` of a light handler's kt_probe; NULL: it is no such handler. */
static const char *light_handler(const struct gen *g)
{
	if (changes_condition(g))
		return NULL;
	if (!g->u->code.len)
		return "0, 0";
	return g->u->adds && g->u->adds_end == g->u->code.len ? g->u->adds : NULL;
}

void gen_handler(struct gen *g, struct probe *pr, struct text *ret_body)
{
	struct items it = items_of(pr->condition, pr->body->list);
	struct unit u;

	unit_begin(g, &u);
	u.probe = pr;
	u.uses = plan_uses_new(&g->plan);
	plan_probe_uses(&g->plan, pr, &u.uses);
	u.slots = u.max_slots = unit_strings(NULL, pr->locals);
	u.counted = count_in_handler(g, pr);
	/* Printing an array at the end takes time in proportion to its size, which is the bound. */
	if (pr->def->synthetic)
		gen_line(g, "c->actions = 0x7fffffff;");
	if (u.uses.tokenize)
		gen_line(g, "c->token_text = %s, c->token_text[0] = 0, c->token_at = 0;", gen_slot(g));
	gen_match_state(g);
	gen_around(g, pr, &it);
	gen_start(g, pr->body, pr->condition);
	pr->light = light_handler(g);

	emit_open(ret_body, "{");
	unit_write(g, ret_body, NULL, pr->locals);
	emit_line(ret_body, "kt_fail: __attribute__((unused));");
	emit_line(ret_body, "kt_leave: __attribute__((unused));");
	emit_line(ret_body, changes_condition(g) ? "kt_conditions_changed();" : ";");
	emit_close(ret_body, "}");
	text_puts(ret_body, "\n");
	g->handler_slots = u.max_slots;
}

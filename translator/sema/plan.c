/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The concurrency plan of each global: collects what every body does with it, then decides.
 *
 * A hot probe is one whose handlers run concurrently: all but begin, end and error; a very hot one is not cold (a timer), or
 * does nothing but add. Nothing waits in a hot probe for a global that hot probes only read (READ_ONLY) or
 * very hot ones only add to (COUNTER). Other timers may do anything with a COUNTER: they lock it, sync, and own the
 * merged value. All else is LOCKED.
 */
#include "translator/sema/plan.h"

#include <string.h>

#include "lib/text.h"
#include "translator/probe/probe.h"

const char *plan_name(enum plan plan)
{
	static const char *const names[] = {
		[PLAN_READ_ONLY] = "read-only", [PLAN_COUNTER] = "counter", [PLAN_LOCKED] = "locked",
	};
	return names[plan];
}

struct uses plan_uses_new(const struct plan_state *ps)
{
	return (struct uses){ .flags = arena_alloc(&program_arena, (size_t)ps->n_globals + 1) };
}

static void uses_merge(const struct plan_state *ps, struct uses *to, const struct uses *from)
{
	for (int i = 0; i < ps->n_globals; i++)
		to->flags[i] |= from->flags[i];
	to->tokenize |= from->tokenize;
}

/* ---- collecting ---- */
struct collect {
	const struct plan_state *ps;
	struct uses *ret;
	bool calls; /* follow calls through ps->closed */
};

static struct symbol *global_of(const struct node *n)
{
	if (n->kind == ND_INDEX)
		n = n->kid[0];
	return n->kind == ND_NAME && n->sym && n->sym->global ? n->sym : NULL;
}

static void note_use(struct collect *co, const struct node *lvalue, unsigned use)
{
	const struct symbol *s = global_of(lvalue);

	if (s)
		co->ret->flags[s->index] |= (unsigned char)use;
}

/* STAP_GLOBAL_ macros of embedded C announce themselves: pragma:read:NAME, pragma:write:NAME. */
static void embedded_uses(const struct plan_state *ps, const char *text, struct uses *ret)
{
	for (int i = 0; text && i < ps->n_globals; i++) {
		const char *name = ps->globals[i]->name;
		_cleanup_free_ char *get = xasprintf("STAP_GLOBAL_GET_%s", name);
		_cleanup_free_ char *set = xasprintf("STAP_GLOBAL_SET_%s", name);

		if (strstr(text, get))
			ret->flags[i] |= USE_READ;
		if (strstr(text, set))
			ret->flags[i] |= USE_WRITE;
	}
}

static bool collect_node(struct node *n, void *data);

static void collect_keys(struct collect *co, struct node *lvalue)
{
	if (lvalue->kind == ND_INDEX)
		for (struct node *k = lvalue->list; k; k = k->next)
			node_walk(k, collect_node, co);
}

/* `x += e`: with its value unused it only counts. */
static void collect_write(struct collect *co, struct node *n, bool unused)
{
	struct node *lvalue = n->kid[0];
	bool counts = n->kind == ND_INCDEC || n->op == OP_ADD_ASSIGN || n->op == OP_SUB_ASSIGN ||
		      n->op == OP_STAT_ADD;

	if (n->op == OP_STAT_ADD || (counts && unused))
		note_use(co, lvalue, USE_COUNT);
	else
		note_use(co, lvalue, USE_WRITE | (n->op == OP_ASSIGN && unused ? 0 : USE_READ));
	collect_keys(co, lvalue);
	if (!global_of(lvalue))
		node_walk(lvalue, collect_node, co);
	if (n->kid[1])
		node_walk(n->kid[1], collect_node, co);
}

static void collect_call(struct collect *co, const struct node *n)
{
	for (const struct function *f = n->func; f; f = f->overload) {
		if (f->kit && strstr(f->name, "tokenize"))
			co->ret->tokenize = true;
		if (co->calls && f->index >= 0)
			uses_merge(co->ps, co->ret, &co->ps->closed[f->index]);
	}
}

static bool collect_foreach(struct collect *co, struct node *n)
{
	const struct foreach *fe = n->foreach;

	note_use(co, n->kid[0], fe->dir == SORT_NONE ? USE_READ : USE_READ | USE_SORT);
	for (const struct node *k = fe->keys; k; k = k->next)
		note_use(co, k, USE_WRITE);
	if (fe->value)
		note_use(co, fe->value, USE_WRITE);
	if (n->kid[0]->kind != ND_NAME)
		node_walk(n->kid[0], collect_node, co);
	for (struct node *k = fe->slice; k; k = k->next)
		node_walk(k, collect_node, co);
	if (n->kid[1])
		node_walk(n->kid[1], collect_node, co);
	node_walk(n->kid[2], collect_node, co);
	return false;
}

static bool collect_node(struct node *n, void *data)
{
	struct collect *co = data;

	switch (n->kind) {
	case ND_EXPR:
		if (n->kid[0]->kind != ND_ASSIGN && n->kid[0]->kind != ND_INCDEC)
			return true;
		collect_write(co, n->kid[0], true);
		return false;
	case ND_FOR: /* the step's value is unused too */
		for (int i = 0; i < 4; i++)
			if (n->kid[i] && (i == 0 || i == 2) &&
			    (n->kid[i]->kind == ND_ASSIGN || n->kid[i]->kind == ND_INCDEC))
				collect_write(co, n->kid[i], true);
			else if (n->kid[i])
				node_walk(n->kid[i], collect_node, co);
		return false;
	case ND_ASSIGN:
	case ND_INCDEC:
		collect_write(co, n, false);
		return false;
	case ND_DELETE:
		note_use(co, n->kid[0], USE_WRITE);
		collect_keys(co, n->kid[0]);
		return false;
	case ND_FOREACH:
		return collect_foreach(co, n);
	case ND_NAME:
		note_use(co, n, USE_READ);
		return true;
	case ND_EMBED:
	case ND_EMBED_EXPR:
		embedded_uses(co->ps, n->text, co->ret);
		return true;
	case ND_TRY:
		if (n->kid[2])
			note_use(co, n->kid[2], USE_WRITE);
		return true;
	case ND_CALL:
		collect_call(co, n);
		return true;
	default:
		return true;
	}
}

void plan_uses(const struct plan_state *ps, struct node *n, struct uses *ret)
{
	struct collect co = { .ps = ps, .ret = ret, .calls = true };

	if (n)
		node_walk(n, collect_node, &co);
}

void plan_probe_uses(const struct plan_state *ps, const struct probe *pr, struct uses *ret)
{
	plan_uses(ps, pr->body, ret);
	plan_uses(ps, pr->condition, ret);
}

bool plan_is_match_function(const struct function *f)
{
	return f->kit && (!strcmp(f->name, "matched") || !strcmp(f->name, "ngroups"));
}

/* ---- functions: direct uses, then the closure over calls ---- */
struct closing {
	struct plan_state *ps;
	struct uses *ret;
	bool *seen;
};

static bool close_node(struct node *n, void *data)
{
	struct closing *cl = data;

	if (n->kind != ND_CALL)
		return true;
	for (struct function *f = n->func; f; f = f->overload) {
		if (f->index < 0 || cl->seen[f->index])
			continue;
		cl->seen[f->index] = true;
		uses_merge(cl->ps, cl->ret, &cl->ps->direct[f->index]);
		if (f->body)
			node_walk(f->body, close_node, cl);
	}
	return true;
}

static void close_functions(struct plan_state *ps)
{
	for (int i = 0; i < ps->n_functions; i++) {
		struct closing cl = { ps, &ps->closed[i], arena_array(&program_arena, bool, ps->n_functions + 1) };

		cl.seen[i] = true;
		uses_merge(ps, cl.ret, &ps->direct[i]);
		if (ps->functions[i]->body)
			node_walk(ps->functions[i]->body, close_node, &cl);
	}
}

static void number_all(struct plan_state *ps, struct program *p)
{
	int n = 0;

	for (struct symbol *s = p->globals; s; s = s->next)
		s->index = ps->n_globals++;
	ps->globals = arena_array(&program_arena, struct symbol *, ps->n_globals + 1);
	for (struct symbol *s = p->globals; s; s = s->next)
		ps->globals[n++] = s;
	for (struct function *f = p->functions; f; f = f->next)
		f->index = f->used ? ps->n_functions++ : -1;
	ps->functions = arena_array(&program_arena, struct function *, ps->n_functions + 1);
	for (struct function *f = p->functions; f; f = f->next)
		if (f->index >= 0)
			ps->functions[f->index] = f;
	ps->direct = arena_array(&program_arena, struct uses, ps->n_functions + 1);
	ps->closed = arena_array(&program_arena, struct uses, ps->n_functions + 1);
	ps->why = arena_array(&program_arena, const char *, ps->n_globals + 1);
	ps->boxed = arena_array(&program_arena, bool, ps->n_globals + 1);
	ps->called_by = arena_alloc(&program_arena, (size_t)(ps->n_functions + 1) * (size_t)(ps->n_globals + 1));
	for (int i = 0; i < ps->n_functions; i++) {
		struct collect co = { .ps = ps, .ret = &ps->direct[i] };

		ps->direct[i] = plan_uses_new(ps);
		ps->closed[i] = plan_uses_new(ps);
		if (ps->functions[i]->body)
			node_walk(ps->functions[i]->body, collect_node, &co);
		else if (!ps->functions[i]->kit)
			embedded_uses(ps, ps->functions[i]->c_body, &ps->direct[i]);
	}
}

/* ---- deciding ---- */
bool plan_owner(const struct probe *pr, unsigned flags)
{
	return flags && (probe_is_alone(pr) || flags != USE_COUNT);
}

static enum plan decide(const struct symbol *s, unsigned hot, unsigned very_hot)
{
	if (!(hot & (USE_WRITE | USE_COUNT | USE_SORT)))
		return PLAN_READ_ONLY;
	/* Nobody but a hot probe's adding makes a copy per CPU worth it. */
	if (very_hot != USE_COUNT || s->type == TY_STRING || s->wrap)
		return PLAN_LOCKED;
	return PLAN_COUNTER;
}

/* Functions that add to a COUNTER are compiled once: for counting handlers or for owners, not both. */
struct marking {
	struct plan_state *ps;
	const struct probe *pr;
	const struct uses *uses;
	bool *seen;
};

static bool mark_node(struct node *n, void *data)
{
	struct marking *m = data;
	int n_globals = m->ps->n_globals;

	if (n->kind != ND_CALL)
		return true;
	for (struct function *f = n->func; f; f = f->overload) {
		if (f->index < 0 || m->seen[f->index])
			continue;
		m->seen[f->index] = true;
		for (int i = 0; i < n_globals; i++)
			if (m->ps->direct[f->index].flags[i])
				m->ps->called_by[f->index * n_globals + i] |=
					plan_owner(m->pr, m->uses->flags[i]) ? 2 : 1;
		if (f->body)
			node_walk(f->body, mark_node, m);
	}
	return true;
}

static void settle_functions(struct plan_state *ps)
{
	for (int f = 0; f < ps->n_functions; f++)
		for (int i = 0; i < ps->n_globals; i++)
			if (ps->called_by[f * ps->n_globals + i] == 3 && ps->globals[i]->plan == PLAN_COUNTER) {
				ps->globals[i]->plan = PLAN_LOCKED;
				ps->why[i] = arena_printf(&program_arena,
							  "%s() is called both by probes that only add and by others",
							  ps->functions[f]->name);
			}
}

/* ---- explaining ---- */
static const char *use_words(unsigned flags)
{
	if (flags & USE_WRITE)
		return flags & USE_READ ? "reads and assigns" : "assigns";
	if (flags & USE_SORT)
		return "sorts";
	return flags & USE_READ ? "reads" : "adds to";
}

/* Why the global I is locked: the first probe that does more with it than its plan could bear. OWN: uses by probe. */
static const char *why_locked(const struct plan_state *ps, const struct program *p, const struct uses *own, int i,
			      unsigned very_hot)
{
	unsigned plain = very_hot == USE_COUNT ? 0 : USE_COUNT;
	int n = 0;

	if (very_hot == USE_COUNT)
		return ps->globals[i]->wrap ? "elements that wrap have one age for all CPUs" :
					      "strings are not added up";
	for (const struct probe *pr = p->probes; pr; pr = pr->next, n++) {
		unsigned flags = own[n].flags[i];

		/* With nothing hotter than timers, the timer that writes decides. */
		if (very_hot ? !probe_is_cold(pr) && (flags & ~plain) :
			       !probe_is_alone(pr) && (flags & (USE_WRITE | USE_COUNT | USE_SORT)))
			return arena_printf(&program_arena, "%s %s it", probe_point_text(pr->written),
					    use_words(flags));
	}
	return "probes that run at the same time write it";
}

static const char *why(const struct plan_state *ps, const struct program *p, const struct uses *own, int i,
		       unsigned very_hot)
{
	switch ((enum plan)ps->globals[i]->plan) {
	case PLAN_READ_ONLY:
		return "no lock, only begin, end and error write it";
	case PLAN_COUNTER:
		return "per CPU, no lock";
	case PLAN_LOCKED:
		return why_locked(ps, p, own, i, very_hot);
	}
	return "";
}

void plan_describe(struct text *t, const struct plan_state *ps, int i)
{
	text_printf(t, "%s: %s", plan_name((enum plan)ps->globals[i]->plan), ps->why[i]);
}

void plan_program(struct plan_state *ps, struct program *p)
{
	struct uses hot, very_hot, *own;
	int n = 0;

	number_all(ps, p);
	close_functions(ps);
	hot = plan_uses_new(ps);
	very_hot = plan_uses_new(ps);
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		n++;
	own = arena_array(&program_arena, struct uses, n + 1);
	n = 0;
	for (struct probe *pr = p->probes; pr; pr = pr->next, n++) {
		struct marking m = { ps, pr, NULL, arena_array(&program_arena, bool, ps->n_functions + 1) };

		own[n] = plan_uses_new(ps);
		plan_probe_uses(ps, pr, &own[n]);
		if (!probe_is_alone(pr))
			uses_merge(ps, &hot, &own[n]);
		for (int i = 0; i < ps->n_globals; i++)
			if (!probe_is_cold(pr) || (!probe_is_alone(pr) && own[n].flags[i] == USE_COUNT))
				very_hot.flags[i] |= own[n].flags[i];
		m.uses = &own[n];
		node_walk(pr->body, mark_node, &m);
	}
	for (int i = 0; i < ps->n_globals; i++) {
		ps->globals[i]->plan = (int)decide(ps->globals[i], hot.flags[i], very_hot.flags[i]);
		ps->why[i] = why(ps, p, own, i, very_hot.flags[i]);
	}
	settle_functions(ps);
	/* Copies per CPU cannot be emptied while others add to them, the tables of a map can. */
	for (int i = 0; i < ps->n_globals; i++)
		ps->boxed[i] = ps->globals[i]->plan == PLAN_COUNTER && ps->globals[i]->type == TY_STAT &&
			       !ps->globals[i]->array && (hot.flags[i] & USE_WRITE);
}

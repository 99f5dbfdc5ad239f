/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which handlers and functions count their statements for the action budget, and what a statement counts for.
 *
 * A short handler counts nothing. Three kinds of code may run for long and do count: loops with the functions that they
 * call, recursive functions, and a handler that runs many statements without a loop, with the functions that it calls.
 * A function that is called twice by one that is called twice, and so on, runs more often than any loop.
 */
#include "translator/gen/parts.h"

#include "translator/probe/probe.h"

enum {
	UNCOUNTED = 1000, /* statements that a handler may run without a look at the clock */
	COST_MAX = 1000000, /* the cost of more is this: above UNCOUNTED, and twice as much is still an int */
};

/* ---- marking ---- */
struct marking {
	struct gen *g;
	bool all; /* every call here is counted */
};

static bool mark_node(struct node *n, void *data);

static void mark_called(struct gen *g, const struct node *call)
{
	struct marking inner = { g, true };

	for (const struct function *f = call->func; f; f = f->overload) {
		if (f->index < 0 || f->kit || g->counted[f->index])
			continue;
		g->counted[f->index] = true;
		node_walk(f->body, mark_node, &inner);
	}
}

static bool mark_node(struct node *n, void *data)
{
	struct marking *m = data, inner = { m->g, true };

	if (n->kind == ND_CALL && m->all)
		mark_called(m->g, n);
	if (m->all || (n->kind != ND_WHILE && n->kind != ND_FOR && n->kind != ND_FOREACH))
		return true;
	for (int i = 0; i < 4; i++)
		node_walk(n->kid[i], mark_node, &inner);
	return false;
}

static void mark_functions(struct gen *g)
{
	struct marking loops = { g, false }, all = { g, true };

	for (int i = 0; i < g->plan.n_functions; i++) {
		struct function *f = g->plan.functions[i];

		if (f->recursive && f->body && !g->counted[i]) {
			g->counted[i] = true;
			node_walk(f->body, mark_node, &all);
		}
		node_walk(f->body, mark_node, &loops);
	}
}

/* ---- costs ---- */
static int cost_below(struct gen *g, struct node *n);

/* Recursive functions count their statements, so a call that is already being looked at costs nothing more. */
static int function_cost(struct gen *g, const struct function *f)
{
	if (f->index < 0)
		return 0;
	if (g->cost[f->index] < 0) {
		g->cost[f->index] = 0;
		g->cost[f->index] = cost_below(g, f->body);
	}
	return g->cost[f->index];
}

struct costing {
	struct gen *g;
	int sum;
};

static void add_cost(struct costing *c, int cost)
{
	c->sum = c->sum + cost < COST_MAX ? c->sum + cost : COST_MAX;
}

bool count_is_work(const struct node *n)
{
	switch (n->kind) {
	case ND_CALL: case ND_PRINT: case ND_INDEX: case ND_IN:
		return true;
	case ND_BINARY: case ND_ASSIGN:
		return n->kid[0]->type == TY_STRING;
	default:
		return false;
	}
}

static bool cost_node(struct node *n, void *data)
{
	struct costing *c = data;

	add_cost(c, count_is_work(n));
	switch (n->kind) {
	case ND_EXPR: case ND_IF: case ND_RETURN: case ND_DELETE: case ND_TRY: case ND_NEXT:
		add_cost(c, 1);
		break;
	case ND_CALL:
		for (const struct function *f = n->func; f; f = f->overload)
			add_cost(c, function_cost(c->g, f));
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	return true;
}

/* Returns how many statements N runs at most, where no loop is repeated. What takes time in them counts as one more. */
static int cost_below(struct gen *g, struct node *n)
{
	struct costing c = { .g = g };

	node_walk(n, cost_node, &c);
	return c.sum;
}

/* ---- handlers ---- */
long long count_budget(const struct gen *g, const struct probe *pr)
{
	return pr && probe_is_alone(pr) ? g->limits.max_life : g->limits.max_action;
}

/* A condition calls no functions. */
bool count_in_handler(struct gen *g, const struct probe *pr)
{
	long long budget = count_budget(g, pr);

	return cost_below(g, pr->body) > (budget < UNCOUNTED ? budget : UNCOUNTED);
}

void count_analyse(struct gen *g)
{
	int n = g->plan.n_functions;

	g->counted = arena_array(&program_arena, bool, n + 1);
	g->cost = arena_array(&program_arena, int, n + 1);
	for (int i = 0; i < n; i++)
		g->cost[i] = -1;
	mark_functions(g);
	for (struct probe *pr = g->p->probes; pr; pr = pr->next) {
		struct marking m = { g, count_in_handler(g, pr) };

		node_walk(pr->body, mark_node, &m);
	}
}

/* ---- what statements cost ---- */
static bool leaves(struct node *n, void *found)
{
	switch (n->kind) {
	case ND_RETURN: case ND_NEXT: case ND_BREAK: case ND_CONTINUE:
		*(bool *)found = true;
		break;
	default:
		break;
	}
	return !*(bool *)found;
}

/* May the statements after N be skipped? */
bool count_may_leave(const struct node *n)
{
	bool found = false;

	node_walk((struct node *)n, leaves, &found);
	return found;
}

/* Statements of LIST that are run together: up to the first that may leave. What arms and loops hold counts itself, and the rest when it is
 * reached. */
int count_statements(const struct node *list)
{
	int cost = 0;

	for (const struct node *n = list; n; n = n->next) {
		cost += count_statement(n);
		if (count_may_leave(n))
			break;
	}
	return cost;
}

static bool add_work(struct node *n, void *work)
{
	*(int *)work += count_is_work(n);
	return true;
}

/* What the expression N, or NULL, costs besides its statement: a little is part of that. */
int count_work(const struct node *n)
{
	enum { WORK_FREE = 8 };
	int work = 0;

	node_walk((struct node *)n, add_work, &work);
	return work / WORK_FREE;
}

/* Statement N, without what its arms and turns hold. */
int count_statement(const struct node *n)
{
	switch (n->kind) {
	case ND_BLOCK:
		return count_statements(n->list);
	case ND_EXPR: case ND_RETURN: case ND_DELETE: case ND_IF: case ND_FOR:
		return 1 + count_work(n->kid[0]);
	case ND_FOREACH:
		return 1 + count_work(n->kid[1]);
	default:
		return 1;
	}
}

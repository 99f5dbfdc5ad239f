/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by name, as sets, and in the order of their calls.
 *
 * A script may hold tens of thousands of functions in one chain of calls, so nothing here recurses over calls.
 */
#include "translator/sema/functions.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/vec.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

/* ---- by name ---- */

enum { BUCKETS = 4096 };

struct named {
	struct function *function;
	struct named *next;
};

struct function_names {
	struct named *first[BUCKETS], *last[BUCKETS];
	struct function *indexed; /* the last of program->functions that is in the table */
};

static size_t bucket(const char *name)
{
	return ((uintptr_t)name >> 4) % BUCKETS;
}

/* The functions whose names share a bucket with NAME, in order of declaration. */
static struct named *find_names(struct program *p, const char *name)
{
	struct function_names *names = p->function_names;
	struct function *f;

	if (!names)
		names = p->function_names = arena_new(&program_arena, struct function_names);
	for (f = names->indexed ? names->indexed->next : p->functions; f; f = f->next) {
		struct named *entry = arena_new(&program_arena, struct named);
		size_t b = bucket(f->name);

		entry->function = f;
		if (names->last[b])
			names->last[b]->next = entry;
		else
			names->first[b] = entry;
		names->last[b] = entry;
		names->indexed = f;
	}
	return names->first[bucket(name)];
}

bool function_callable(const struct function *f, const char *name, const struct source *file)
{
	return f->name == name && !f->probe && (!f->is_private || f->file == file);
}

/* Of functions of one name the one that is tried first: by priority, then by where the library's directories were searched
 * first, whichever file was parsed first. */
static bool comes_after(const struct function *f, const struct function *other)
{
	return f->priority != other->priority ? f->priority > other->priority : f->file->order >= other->file->order;
}

struct function *function_overloads(struct program *p, const char *name, int n, const struct source *file)
{
	struct function *first = NULL;
	struct named *names;
	bool private_only = false;

	tapset_need_function(p, name);
	names = find_names(p, name);
	for (const struct named *e = names; e; e = e->next)
		if (function_callable(e->function, name, file) && e->function->is_private)
			private_only = true;
	for (const struct named *e = names; e; e = e->next) {
		struct function *f = e->function, **slot = &first;

		if (!function_callable(f, name, file) || f->is_private != private_only || f->n_params != n)
			continue;
		while (*slot && comes_after(f, *slot))
			slot = &(*slot)->overload;
		f->overload = *slot;
		*slot = f;
	}
	return first;
}

const struct function *function_named(struct program *p, const char *name, const struct source *file,
				      bool *ret_several)
{
	const struct function *found = NULL;

	*ret_several = false;
	for (const struct named *e = find_names(p, name); e; e = e->next) {
		if (!function_callable(e->function, name, file))
			continue;
		*ret_several |= found != NULL;
		found = e->function;
	}
	return found;
}

/* ---- functions that use variables of the probe ---- */

struct placed_search {
	struct program *program;
	bool found;
};

static bool find_placed_call(struct node *n, void *data)
{
	struct placed_search *s = data;

	if (n->kind == ND_CALL)
		s->found |= function_is_placed(s->program, n->name);
	return !s->found;
}

static bool find_variable(struct node *n, void *data)
{
	struct placed_search *s = data;

	s->found |= n->kind == ND_TARGET || n->kind == ND_ENTRY || n->kind == ND_PERF;
	return !s->found;
}

/* One round over all functions with FIND; whether it found something. */
static bool mark_placed(struct program *p, bool (*find)(struct node *n, void *data))
{
	bool any = false;

	for (struct function *f = p->functions; f; f = f->next) {
		struct placed_search s = { .program = p };

		if (f->placed || !f->body)
			continue;
		node_visit(f->body, find, &s);
		f->placed = s.found;
		any |= s.found;
	}
	return any;
}

bool function_is_placed(struct program *p, const char *name)
{
	if (!p->placed_known) {
		p->placed_known = true;
		if (mark_placed(p, find_variable))
			while (mark_placed(p, find_placed_call))
				continue;
	}
	for (const struct named *e = find_names(p, name); e; e = e->next)
		if (e->function->name == name && e->function->placed)
			return true;
	return false;
}

static struct symbol *copy_params(const struct symbol *params)
{
	struct symbol *first = NULL, **end = &first;

	for (; params; params = params->next) {
		*end = arena_new(&program_arena, struct symbol);
		**end = *params;
		(*end)->next = NULL;
		end = &(*end)->next;
	}
	return first;
}

static struct function *copy_function(struct function *f, struct probe *pr)
{
	struct function *copy = arena_new(&program_arena, struct function), **tail = &f->next;

	*copy = *f;
	copy->probe = pr;
	copy->params = copy_params(f->params);
	copy->locals = NULL;
	copy->body = f->body ? node_clone(f->body) : NULL;
	copy->resolved = false;
	copy->next = NULL;
	copy->copies = f->copies;
	f->copies = copy;
	while (*tail)
		tail = &(*tail)->next;
	*tail = copy;
	return copy;
}

struct function *function_for_probe(struct function *first, struct probe *pr)
{
	struct function *copies = NULL, **end = &copies;
	bool placed = false;

	for (const struct function *f = first; f; f = f->overload)
		placed |= f->placed;
	if (!placed)
		return first;
	for (struct function *f = first; f; f = f->overload) {
		struct function *copy = f->copies;

		while (copy && copy->probe != pr)
			copy = copy->copies;
		if (!copy)
			copy = copy_function(f, pr);
		*end = copy;
		end = &copy->overload;
	}
	*end = NULL;
	return copies;
}

/* ---- sets ---- */

static bool find_next(struct node *n, void *data)
{
	*(bool *)data |= n->kind == ND_NEXT || n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR;
	return !*(bool *)data;
}

bool function_declines(const struct function *f)
{
	bool declines = !f->body;

	if (f->body)
		node_visit(f->body, find_next, &declines);
	return declines;
}

static bool add_callees(struct node *n, void *data)
{
	struct function_set *set = data;
	const struct function *previous = NULL;

	for (struct function *f = n->kind == ND_CALL ? n->func : NULL; f; previous = f, f = f->overload) {
		if (previous && !function_declines(previous))
			break;
		if (f->index)
			continue;
		f->index = 1;
		*vec_add(set->v, set->n) = f;
	}
	return true;
}

void function_set_reach(struct function_set *set, struct node *code)
{
	size_t done = set->n;

	node_visit(code, add_callees, set);
	for (; done < set->n; done++)
		if (set->v[done]->body)
			node_visit(set->v[done]->body, add_callees, set);
}

void function_set_deinit(struct function_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		set->v[i]->index = 0;
	free(set->v);
	*set = (struct function_set){ 0 };
}

bool functions_bounded(const struct program *p)
{
	enum { LEVELS_MAX = 50000 };
	int levels = 0;

	for (const struct function *f = p->functions; f; f = f->next) {
		levels += f->resolved && f->body ? f->body->height : 0;
		if (levels > LEVELS_MAX)
			return error(f->loc, DIAG_LIMIT, "up to this function, those in use are more than %d levels deep in all", LEVELS_MAX);
	}
	return true;
}

/* ---- the order of calls: Tarjan's strongly connected components, with a separate stack ---- */

struct graph {
	struct function **node; /* from 1; function->index is the position */
	int n;
	int *first;             /* of a node: its callees are edge[first[i]] up to edge[first[i + 1]] */
	int *edge;
	size_t n_edges;
	/* the search */
	int *number, *low;      /* 0: not seen; low -1: its component is complete */
	int *next_edge;
	int *path, *open;
	int n_path, n_open, count;
};

static bool add_edges(struct node *n, void *data)
{
	struct graph *g = data;

	for (struct function *f = n->kind == ND_CALL ? n->func : NULL; f; f = f->overload) {
		if (!f->index)
			continue;
		*vec_add(g->edge, g->n_edges) = f->index;
	}
	return true;
}

static void open_node(struct graph *g, int i)
{
	g->number[i] = g->low[i] = ++g->count;
	g->next_edge[i] = g->first[i];
	g->path[g->n_path++] = i;
	g->open[g->n_open++] = i;
}

/* All callees of the component of I are done: it is complete and goes to the order. */
static void close_component(struct graph *g, int i, struct function ***tail)
{
	bool alone = g->open[g->n_open - 1] == i;
	int member;

	do {
		member = g->open[--g->n_open];
		g->low[member] = -1;
		if (!alone)
			g->node[member]->recursive = true;
		*(*tail)++ = g->node[member];
	} while (member != i);
}

static void search_from(struct graph *g, int start, struct function ***tail)
{
	open_node(g, start);
	while (g->n_path) {
		int i = g->path[g->n_path - 1];

		if (g->next_edge[i] < g->first[i + 1]) {
			int callee = g->edge[g->next_edge[i]++];

			if (callee == i)
				g->node[i]->recursive = true;
			if (!g->number[callee])
				open_node(g, callee);
			else if (g->low[callee] > 0 && g->number[callee] < g->low[i])
				g->low[i] = g->number[callee];
			continue;
		}
		g->n_path--;
		if (g->n_path && g->low[i] < g->low[g->path[g->n_path - 1]])
			g->low[g->path[g->n_path - 1]] = g->low[i];
		if (g->low[i] == g->number[i])
			close_component(g, i, tail);
	}
}

void functions_order(struct program *p)
{
	struct graph g = { 0 };
	struct function **tail;
	size_t room = 2;

	for (struct function *f = p->functions; f; f = f->next)
		room++;
	g.node = arena_array(&program_arena, struct function *, room);
	g.first = arena_array(&program_arena, int, room);
	g.number = arena_array(&program_arena, int, room);
	g.low = arena_array(&program_arena, int, room);
	g.next_edge = arena_array(&program_arena, int, room);
	g.path = arena_array(&program_arena, int, room);
	g.open = arena_array(&program_arena, int, room);
	tail = p->call_order = arena_array(&program_arena, struct function *, room);
	for (struct function *f = p->functions; f; f = f->next) {
		if (!f->resolved)
			continue;
		f->index = ++g.n;
		g.node[g.n] = f;
	}
	for (int i = 1; i <= g.n; i++) {
		g.first[i] = (int)g.n_edges;
		if (g.node[i]->body)
			node_visit(g.node[i]->body, add_edges, &g);
	}
	g.first[g.n + 1] = (int)g.n_edges;
	for (int i = 1; i <= g.n; i++)
		if (!g.number[i])
			search_from(&g, i, &tail);
	for (int i = 1; i <= g.n; i++)
		g.node[i]->index = 0;
	free(g.edge);
}

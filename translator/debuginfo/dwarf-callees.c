/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callees of functions: instances that were inlined into them, and functions whose call sites they hold.
 *
 * A call site names the function (calls through pointers name none) and the address that it returns to. A callee is probed
 * at its entry, where the return address identifies the call; so a place carries the addresses of the sites, one list for
 * each call on the way from the function that was asked for. A tail call leaves no return address: such callees are passed over.
 *
 * Where the beginning of a function was inlined, its call of NAME.part.0 leads to the rest of the same function: no level deeper.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/dwarf-reader.h"

/* VISITS_MAX: callees that are looked at, wanted or not: ways multiply with each level. */
enum { DEPTH_MAX = 256, VISITS_MAX = 200000 };

/* The call sites in one caller that name the same function. */
struct called {
	Dwarf_Die root;
	uint64_t *address;
	unsigned n, cap;
	struct called *next;
};

struct search {
	struct dwarf_target *t;
	const struct callee_query *q;
	struct place **end;
	unsigned n, visits;
};

/* One copy of a function, whose callees are looked for. */
struct caller {
	const struct place *place;
	const struct place_calls *calls; /* that led to it; NULL: it is where the search began */
	unsigned depth;                  /* levels to go, this one included */
	struct called *called;
};

static void search_callees(struct search *s, const struct place *place, const struct place_calls *calls, unsigned depth);

/* P is found; searches on below it. */
static void put(struct search *s, const struct caller *c, struct place *p, const struct place_calls *calls)
{
	const struct function_query *q = &s->q->callee;
	bool wanted = (p->inlined ? s->q->inlined : s->q->outlined) && (!q->line || q->line == p->line) &&
		      !fnmatch(q->func, p->func, 0) && file_matches(p->file, q->file);

	if (s->n >= CALLEES_MAX || ++s->visits > VISITS_MAX)
		return;
	p->next = NULL;
	p->calls = calls;
	p->caller = c->place;
	if (wanted) {
		*s->end = p;
		s->end = &p->next;
		s->n++;
	}
	if (c->depth > 1)
		search_callees(s, p, calls, c->depth - 1);
}

/* ---- inlined instances ---- */
/* The instance DIE, NAME, as control enters it at ENTRY. */
static struct place *instance_at(const struct search *s, const struct caller *c, Dwarf_Die *die, const char *name, uint64_t entry)
{
	struct dwarf_scope *scope = arena_new(&program_arena, struct dwarf_scope);
	struct place *p = arena_new(&program_arena, struct place);

	scope->die = *die;
	scope->pc = entry;
	*p = (struct place){
		.address = entry, .func = name, .inlined = true, .scope = scope,
		.file = dwarf_file(s->t, die, dwarf_number(die, DW_AT_decl_file, ~0u)),
		.line = (int)dwarf_number(die, DW_AT_decl_line, 0),
		.symbol = c->place->symbol, .symbol_address = c->place->symbol_address, .section = c->place->section,
		.container = c->place->inlined ? c->place->container : c->place->func,
		.call_line = (int)dwarf_number(die, DW_AT_call_line, 0),
		.call_file = dwarf_file(s->t, die, dwarf_number(die, DW_AT_call_file, ~0u)),
	};
	return p;
}

static void put_instance(struct search *s, const struct caller *c, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct dwarf_entries entries = name && dwarf_entry(die) ? dwarf_entries(s->t, die) : (struct dwarf_entries){};
	struct caller here = *c;

	for (size_t i = 0; i < entries.n; i++) {
		put(s, &here, instance_at(s, c, die, name, entries.address[i]), c->calls);
		/* Its own callees are found once. */
		here.depth = 1;
	}
}

/* ---- calls ---- */
/* The address that the call of SITE returns to; 0: none, or it does not return here. */
static uint64_t return_address(Dwarf_Die *site)
{
	Dwarf_Attribute attr;
	Dwarf_Addr at;

	if (dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call))
		return 0;
	if (dwarf_attr(site, DW_AT_call_return_pc, &attr) || dwarf_attr(site, DW_AT_low_pc, &attr))
		return dwarf_formaddr(&attr, &at) ? 0 : at;
	return 0;
}

/* Notes what SITE calls. */
static void add_call(struct caller *c, Dwarf_Die *site)
{
	uint64_t at = return_address(site);
	struct called *d = c->called;
	Dwarf_Attribute attr;
	Dwarf_Die origin, root;

	if (!at || (!dwarf_attr(site, DW_AT_call_origin, &attr) && !dwarf_attr(site, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &origin) || !dwarf_root(&origin, &root) || dwarf_tag(&root) != DW_TAG_subprogram ||
	    !dwarf_diename(&root))
		return;
	while (d && d->root.addr != root.addr)
		d = d->next;
	if (!d) {
		d = arena_new(&program_arena, struct called);
		*d = (struct called){ .root = root, .next = c->called };
		c->called = d;
	}
	if (d->n == d->cap) {
		uint64_t *more = arena_array(&program_arena, uint64_t, d->cap = 2 * d->cap + 4);

		if (d->n)
			memcpy(more, d->address, d->n * sizeof(*more));
		d->address = more;
	}
	d->address[d->n++] = at;
}

static bool is_part(const struct place *p)
{
	return p->symbol && strstr(p->symbol, ".part.");
}

/* Does the caller, an inlined beginning, call the rest of its function at P? Where the search began the rest is a caller itself. */
static bool is_rest(const struct caller *c, const struct called *d, const struct place *p)
{
	Dwarf_Die die = ((const struct dwarf_scope *)c->place->scope)->die, root;

	return c->place->inlined && c->place->caller && is_part(p) && dwarf_root(&die, &root) && root.addr == d->root.addr;
}

/* Is the function at P what D names? A declaration names what another unit defines for all. */
static bool is_called(const struct called *d, const struct place *p)
{
	Dwarf_Die die = ((const struct dwarf_scope *)p->scope)->die, root, named = d->root;

	if (!dwarf_root(&die, &root))
		return false;
	if (dwarf_hasattr(&named, DW_AT_declaration))
		return dwarf_hasattr(&root, DW_AT_external);
	return root.addr == named.addr;
}

static void put_called(struct search *s, const struct caller *c, struct called *d)
{
	struct function_query q = { .func = dwarf_diename(&d->root), .outlined = true, .parts = c->place->inlined };
	struct place_calls *calls;
	struct place *next;

	/* Spare the look-up where nothing could come of it. */
	if (c->depth == 1 && strcmp(q.func, c->place->func) && (!s->q->outlined || fnmatch(s->q->callee.func, q.func, 0)))
		return;
	calls = arena_new(&program_arena, struct place_calls);
	*calls = (struct place_calls){ .address = d->address, .n = d->n, .next = c->calls };
	for (struct place *p = dwarf_functions(&s->t->base, &q); p; p = next) {
		next = p->next;
		if (!is_called(d, p))
			continue;
		if (is_rest(c, d, p))
			search_callees(s, p, calls, c->depth);
		else if (!is_part(p))
			put(s, c, p, calls);
	}
}

/* ---- walking ---- */
static void scan(struct search *s, struct caller *c, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die, around = ((const struct dwarf_scope *)c->place->scope)->die;

	if (depth > DEPTH_MAX)
		return;
	dwarf_each_child(parent, &die) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_lexical_block:
			scan(s, c, &die, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			if (dwarf_inlined(s->t, &die, &around) == INLINED_CALL)
				put_instance(s, c, &die);
			else
				scan(s, c, &die, depth + 1);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			add_call(c, &die);
			break;
		default: /* tags are open-ended: the others call nothing */
			break;
		}
	}
}

static void search_callees(struct search *s, const struct place *place, const struct place_calls *calls, unsigned depth)
{
	struct caller c = { .place = place, .calls = calls, .depth = depth };
	Dwarf_Die die = ((const struct dwarf_scope *)place->scope)->die;

	scan(s, &c, &die, 0);
	for (struct called *d = c.called; d; d = d->next)
		put_called(s, &c, d);
}

struct place *dwarf_callees(struct target *base, const struct function_query *callers, const struct callee_query *q)
{
	struct search s = { .t = (struct dwarf_target *)base, .q = q };
	struct function_query all = *callers;
	struct place *first = NULL;

	all.parts = true;
	all.entries = false;
	s.end = &first;
	for (const struct place *p = dwarf_functions(base, &all); p; p = p->next)
		search_callees(&s, p, NULL, q->depth);
	if (s.n >= CALLEES_MAX || s.visits > VISITS_MAX)
		warning(diag_nowhere(q->reports), DIAG_PROBE_ARG, "the callees of '%s' are too many: %u are found, the others left out",
			callers->func, s.n);
	return first;
}

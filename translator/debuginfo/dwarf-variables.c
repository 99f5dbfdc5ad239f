/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables visible at a place: parameters, locals of the blocks around the pc, then the unit's globals. */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"

enum { BLOCK_DEPTH_MAX = 64 };

/* One variable of a name, and what decides between it and another of that name. */
struct candidate {
	struct variable *v;
	Dwarf_Die root;    /* the DIE that all copies of the variable have in common */
	int depth;         /* of its block */
};

/* Variables that are visible: of each name the one of the innermost block. */
struct found {
	struct dwarf_target *t;
	const struct dwarf_scope *scope;
	const char *only;          /* NULL: all */
	struct candidate *list;
	size_t n;
};

/* Does NEW hide OLD of its name? One variable may be described twice, and once only with its place. */
static bool hides(const struct candidate *new, const struct candidate *old)
{
	bool same = new->root.addr == old->root.addr;

	if (new->depth != old->depth && !same)
		return new->depth > old->depth;
	return new->v->location.kind != LOC_NONE || old->v->location.kind == LOC_NONE;
}

static void add_candidate(struct found *f, const struct candidate *c)
{
	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->list[i].v->name, c->v->name))
			continue;
		if (hides(c, &f->list[i]))
			f->list[i] = *c;
		return;
	}
	*vec_add(f->list, f->n) = *c;
}

static struct variable *new_variable(struct found *f, Dwarf_Die *die, const char *name)
{
	struct variable *v = arena_new(&program_arena, struct variable);

	v->name = intern(name);
	v->type = dwarf_type_of(f->t, die);
	v->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->location = dwarf_location(f->t, f->scope, die);
	return v;
}

static struct variable *unit_variable(struct found *f, const char *name);

/* A block may only declare a variable of the unit. */
static struct variable *block_variable(struct found *f, Dwarf_Die *die, const char *name)
{
	struct variable *v = dwarf_hasattr(die, DW_AT_declaration) ? unit_variable(f, name) : NULL;

	return v ? v : new_variable(f, die, name);
}

/* The member ONLY of the unnamed union DIE; NULL: it has none of that name. */
static struct variable *union_member(struct found *f, Dwarf_Die *die, const char *only)
{
	const struct ctype *type = dwarf_type_of(f->t, die);
	struct variable *v;
	struct member m;

	if (!type || !only || !dwarf_member(type, only, &m))
		return NULL;
	v = new_variable(f, die, only);
	v->type = m.type;
	v->location = location_part(&v->location, m.offset, m.type->size);
	return v;
}

/* LOCATED false: the DIE is the abstract one, it describes no place. */
static void add(struct found *f, Dwarf_Die *die, int depth, bool located)
{
	const char *name = dwarf_diename(die);
	struct candidate c = { .depth = depth };

	if (name && f->only && strcmp(name, f->only))
		return;
	c.v = name ? block_variable(f, die, name) : union_member(f, die, f->only);
	if (!c.v || !dwarf_root(die, &c.root))
		return;
	if (!located)
		c.v->location = location_none("optimized out");
	add_candidate(f, &c);
}

/* Parameters and variables of BLOCK, then those of the blocks inside it that hold the pc, and of the rest of the call. */
static void scan_block(struct found *f, Dwarf_Die *block, int depth)
{
	Dwarf_Die die, around = f->scope->die;

	if (depth > BLOCK_DEPTH_MAX)
		return;
	dwarf_each_child(block, &die) {
		int tag = dwarf_tag(&die);

		if ((tag == DW_TAG_lexical_block ||
		     (tag == DW_TAG_inlined_subroutine && dwarf_inlined(f->t, &die, &around) == INLINED_REST)) &&
		    dwarf_haspc(&die, f->scope->pc) > 0)
			scan_block(f, &die, depth + 1);
		if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable)
			add(f, &die, depth, true);
	}
}

/* Is the name in the list already? */
static bool has(const struct found *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->list[i].v->name, name))
			return true;
	return false;
}

/* Parameters and locals of the abstract function that this copy has no trace of. */
static void scan_origin(struct found *f, Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin, die;

	if (!dwarf_attr(function, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin))
		return;
	dwarf_each_child(&origin, &die) {
		const char *name;
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		name = dwarf_diename(&die);
		if (name && !has(f, name))
			add(f, &die, 0, dwarf_hasattr(&die, DW_AT_location) || dwarf_hasattr(&die, DW_AT_const_value));
	}
}

/* The variable of the unit that a name means. */
struct unit_search {
	struct found *f;
	const char *name;
	Dwarf_Die die, in_union;
	int rank;              /* of the best so far */
	bool defined;
};

static void match_unit_variable(Dwarf_Die *die, int rank, void *data)
{
	struct unit_search *s = data;
	bool defined = dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value);

	if (!dwarf_diename(die)) {
		if (!s->in_union.addr && union_member(s->f, die, s->name))
			s->in_union = *die;
		return;
	}
	if (s->die.addr && (rank < s->rank || (rank == s->rank && (s->defined || !defined))))
		return;
	s->die = *die;
	s->rank = rank;
	s->defined = defined;
}

/* A variable of the unit, or of a namespace or class in it. */
static struct variable *unit_variable(struct found *f, const char *name)
{
	struct unit_search s = { .f = f, .name = name };
	Dwarf_Die function = f->scope->die;
	struct variable *v;

	dwarf_visible(f->t, &function, DW_TAG_variable, name, match_unit_variable, &s);
	if (!s.die.addr)
		return s.in_union.addr ? union_member(f, &s.in_union, name) : NULL;
	v = new_variable(f, &s.die, name);
	if (!s.defined)
		v->location = dwarf_symbol_location(f->t, &s.die);
	return v;
}

static void scan(struct found *f)
{
	Dwarf_Die die = f->scope->die;

	scan_block(f, &die, 0);
	scan_origin(f, &die);
}

const struct variable *dwarf_variable(struct target *t, const struct place *p, const char *name)
{
	struct found f = { .t = (struct dwarf_target *)t, .scope = p->scope, .only = name };
	const struct variable *v;

	scan(&f);
	v = f.n ? f.list[0].v : unit_variable(&f, name);
	free(f.list);
	return v;
}

/* Globals are left out: a unit sees thousands. */
const struct variable *dwarf_variables(struct target *t, const struct place *p)
{
	struct found f = { .t = (struct dwarf_target *)t, .scope = p->scope };
	struct variable *first = NULL, **end = &first;

	scan(&f);
	for (int parameters = 1; parameters >= 0; parameters--)
		for (size_t i = 0; i < f.n; i++) {
			if (f.list[i].v->parameter != parameters)
				continue;
			*end = f.list[i].v;
			end = &f.list[i].v->next;
			*end = NULL;
		}
	free(f.list);
	return first;
}

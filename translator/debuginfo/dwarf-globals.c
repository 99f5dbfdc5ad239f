/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables and enumerators by name, in all units of a file: what @var and @enum ask for.
 *
 * Nothing of it is indexed: a look over the top level of all units of a kernel takes some tenths of a second.
 */
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/dwarf-reader.h"

/* Calls FN for each DIE outside of functions in each unit whose file matches, with the scope that it stands in. True from it
 * stops. */
static bool walk_units(struct dwarf_target *t, const char *file, dwarf_scope_fn *fn, void *data)
{
	struct dwarf_walk walk = {};
	Dwarf_Die unit;

	while (dwarf_unit_next(t, &walk, &unit)) {
		if (file_matches(dwarf_diename(&unit), file) && dwarf_walk_unit(&unit, fn, data))
			return true;
	}
	return false;
}

/* A name as the script writes it: "color::RED" is RED in "color::". */
struct scoped_name {
	const char *scope; /* NULL: any, and that of the unit first */
	const char *name;
};

static struct scoped_name split_name(const char *s)
{
	struct scoped_name n = { .name = s };

	for (const char *p = s; (p = strstr(p, "::")); n.name = p)
		p += 2;
	if (n.name != s)
		n.scope = arena_strndup(&program_arena, s, (size_t)(n.name - s));
	return n;
}

/* ---- variables ---- */
static const char *variable_name(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable ? dwarf_diename(die) : NULL;
}

struct global_search {
	struct dwarf_target *t;
	struct scoped_name wanted;
	bool external;     /* a static one is not what is meant */
	Dwarf_Die declared, defined;
};

/* Stops at a definition in the scope that is wanted; the first of another kind is kept. */
static bool global_is(Dwarf_Die *die, const char *path, void *data)
{
	struct global_search *s = data;
	const char *name = variable_name(die), *wanted = s->wanted.scope ? s->wanted.scope : "";
	bool defined;

	if (!name || strcmp(name, s->wanted.name))
		return false;
	if (dwarf_hasattr(die, DW_AT_specification))
		path = dwarf_scope_path(s->t, die);
	if (s->wanted.scope && strcmp(path, wanted))
		return false;
	defined = dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value);
	if (defined && !strcmp(path, wanted) && (!s->external || dwarf_is_external(die))) {
		s->defined = *die;
		return true;
	}
	if (defined && !s->defined.addr)
		s->defined = *die;
	if (!defined && !s->declared.addr)
		s->declared = *die;
	return false;
}

const struct variable *dwarf_global(struct target *base, const char *name, const char *file)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	struct global_search s = { .t = t, .wanted = split_name(name) };
	struct dwarf_scope scope = {};
	struct variable *v;
	GElf_Sym sym;
	unsigned n = file ? 0 : elf_object(t->elf, name, &sym); /* names in scopes are mangled, and those in it */
	bool defined;

	s.external = n == 1 && GELF_ST_BIND(sym.st_info) != STB_LOCAL;
	walk_units(t, file, global_is, &s);
	defined = s.defined.addr;
	scope.die = defined ? s.defined : s.declared;
	if (!scope.die.addr)
		return NULL;
	v = arena_new(&program_arena, struct variable);
	v->name = intern(name);
	v->type = dwarf_type_of(t, &scope.die);
	if (n > 1) {
		v->location = (struct location){ .kind = LOC_NONE, .why = arena_printf(&program_arena,
			"%u files have one of their own; name the file, \"%s@FILE\"", n, name) };
		return v;
	}
	/* One that no unit defines may be what an assembler file holds. */
	v->location = defined ? dwarf_location(t, &scope, &s.defined) : dwarf_symbol_location(t, &s.declared);
	return v;
}

/* Is L the variable at ADDRESS, or at that offset in a thread's data? */
static bool is_at(const struct location *l, uint64_t address, bool thread)
{
	if (l->kind != LOC_ADDRESS || !l->n_ops || (uint64_t)l->ops[0].a != address)
		return false;
	return thread ? l->n_ops > 1 && l->ops[0].atom == DW_OP_const8u && l->ops[1].atom == LOC_OP_THREAD
		      : l->n_ops == 1 && l->ops[0].atom == DW_OP_addr;
}

/* Does the DIE, or one inside of it, define such a variable? */
static bool defines(struct dwarf_target *t, Dwarf_Die *die, uint64_t address, bool thread, int depth)
{
	enum { DEPTH_MAX = 64 };
	struct dwarf_scope scope = { .die = *die };
	Dwarf_Die child;

	if (dwarf_tag(die) == DW_TAG_variable && dwarf_hasattr(die, DW_AT_location)) {
		struct location l = dwarf_location(t, &scope, die);

		if (is_at(&l, address, thread))
			return true;
	}
	if (depth > DEPTH_MAX)
		return false;
	dwarf_each_child(die, &child) {
		if (defines(t, &child, address, thread, depth + 1))
			return true;
	}
	return false;
}

bool dwarf_unit_defines(struct target *base, uint64_t pc, uint64_t address, bool thread)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	Dwarf_Die unit;

	return dwarf_unit_at(t, pc, &unit) && defines(t, &unit, address, thread, 0);
}

static bool call_global(Dwarf_Die *die, const char *path, void *data)
{
	const struct name_call *c = data;
	const char *name = variable_name(die);

	if (name)
		c->fn(name, c->data);
	return false;
}

void dwarf_global_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	walk_units((struct dwarf_target *)base, NULL, call_global, &c);
}

/* ---- enumerators ---- */
struct enum_search {
	struct scoped_name wanted;
	int64_t *ret;
	int rank;              /* of the best so far */
	bool found;
};

/* Does the enumeration DIE have the name? */
static bool enum_has(Dwarf_Die *die, const struct enum_search *s)
{
	struct enumerator_search one = { s->wanted.name, s->ret };

	return dwarf_tag(die) == DW_TAG_enumeration_type && dwarf_each_enumerator(die, enumerator_is, &one);
}

/* Those of an "enum class" are known by its name only. */
static bool is_enum_class(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool is;

	return dwarf_attr(die, DW_AT_enum_class, &attr) && !dwarf_formflag(&attr, &is) && is;
}

/* Enumerators of the innermost block around PC that has the name. */
static bool block_has(Dwarf_Die *block, uint64_t pc, const struct enum_search *s, int depth)
{
	enum { DEPTH_MAX = 64 };
	bool found = false;
	Dwarf_Die die;

	if (depth > DEPTH_MAX)
		return false;
	dwarf_each_child(block, &die) {
		if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarf_haspc(&die, pc) > 0 && block_has(&die, pc, s, depth + 1))
			return true;
		found |= !found && enum_has(&die, s);
	}
	return found;
}

static void visible_enum(Dwarf_Die *die, int rank, void *data)
{
	struct enum_search *s = data;

	if (rank <= (s->found ? s->rank : VISIBLE_ELSEWHERE) || is_enum_class(die) || !enum_has(die, s))
		return;
	s->found = true;
	s->rank = rank;
}

/* Finds the enumerator that a name means to code at SCOPE: in its blocks, its function, and the scopes around it. */
static bool visible_enumerator(struct dwarf_target *t, const struct dwarf_scope *scope, struct enum_search *s)
{
	Dwarf_Die die = scope->die, root;
	int64_t found = 0, *ret = s->ret;

	if (block_has(&die, scope->pc, s, 0) || (dwarf_root(&die, &root) && block_has(&root, scope->pc, s, 0)))
		return true;
	s->ret = &found;
	dwarf_visible(t, &die, DW_TAG_enumeration_type, NULL, visible_enum, s);
	s->ret = ret;
	if (s->found)
		*ret = found;
	return s->found;
}

/* Stops at one of the scope that is wanted; the first of another is kept. */
static bool any_enum(Dwarf_Die *die, const char *path, void *data)
{
	struct enum_search *s = data;
	const char *wanted = s->wanted.scope, *name;
	int64_t value, *ret = s->ret;
	bool has;

	s->ret = &value;
	has = enum_has(die, s);
	s->ret = ret;
	if (!has)
		return false;
	name = dwarf_diename(die);
	if (wanted && strcmp(wanted, path) && (!name || strcmp(wanted, arena_printf(&program_arena, "%s%s::", path, name))))
		return false;
	if (!s->found)
		*ret = value;
	s->found = true;
	if (!wanted && (*path || is_enum_class(die)))
		return false;
	*ret = value;
	return true;
}

bool dwarf_enumerator(struct target *base, const struct place *p, const char *name, int64_t *ret)
{
	struct enum_search s = { .wanted = split_name(name), .ret = ret };

	if (p && p->scope && !s.wanted.scope && visible_enumerator((struct dwarf_target *)base, p->scope, &s))
		return true;
	walk_units((struct dwarf_target *)base, NULL, any_enum, &s);
	return s.found;
}

static bool call_enumerator(const char *name, int64_t value, void *data)
{
	const struct name_call *c = data;

	c->fn(name, c->data);
	return false;
}

static bool call_enumerators(Dwarf_Die *die, const char *path, void *data)
{
	return dwarf_tag(die) == DW_TAG_enumeration_type && dwarf_each_enumerator(die, call_enumerator, data);
}

void dwarf_enumerators(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	struct name_call c = { fn, data };

	walk_units((struct dwarf_target *)base, NULL, call_enumerators, &c);
}

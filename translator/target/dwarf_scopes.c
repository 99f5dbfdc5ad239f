/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes of C++: the namespaces and classes around a DIE, and the DIEs that code in one of them can see.
 *
 * A name is looked up in the scopes around the code, from the innermost to the unit. Namespaces without a name count as
 * their surroundings. In C the unit is the only scope.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/dwarf_reader.h"

enum { SCOPE_DEPTH_MAX = 64 };

bool dwarf_declaration(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_root(die, ret))
		return false;
	return !dwarf_attr(ret, DW_AT_specification, &attr) || dwarf_formref_die(&attr, ret);
}

bool dwarf_is_scope(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static bool walk_scope(Dwarf_Die *parent, const char *path, int levels, dwarf_scope_fn *fn, void *data)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		const char *name;

		if (fn(&die, path, data))
			return true;
		if (!levels || !dwarf_is_scope(&die))
			continue;
		name = dwarf_diename(&die);
		if (walk_scope(&die, name ? arena_printf(&program_arena, "%s%s::", path, name) : path, levels - 1, fn, data))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

bool dwarf_walk_unit(Dwarf_Die *unit, dwarf_scope_fn *fn, void *data)
{
	return walk_scope(unit, "", dwarf_is_c(unit) ? 0 : SCOPE_DEPTH_MAX, fn, data);
}

const char *dwarf_scope_path(Dwarf_Die *die, const char *anonymous)
{
	Dwarf_Die start, *scopes;
	const char *path = "";
	int n;

	if (!dwarf_declaration(die, &start))
		return path;
	n = dwarf_getscopes_die(&start, &scopes);
	for (int i = 1; i < n; i++) {
		const char *name = dwarf_is_scope(&scopes[i]) ? dwarf_diename(&scopes[i]) : NULL;

		if (name || dwarf_is_scope(&scopes[i]))
			path = arena_printf(&program_arena, "%s%s", name ? arena_printf(&program_arena, "%s::", name) : anonymous, path);
	}
	if (n > 0)
		free(scopes);
	return path;
}

/* A walk over what the code in scope FROM can see. */
struct view {
	const char *from;
	int tag;
	const char *name;
	void (*fn)(Dwarf_Die *die, int rank, void *data);
	void *data;
};

/* How near PATH is to the code: its length where the path is around the code, else VISIBLE_ELSEWHERE. */
static int rank_of(const struct view *v, const char *path)
{
	size_t n = strlen(path);

	return strncmp(v->from, path, n) ? VISIBLE_ELSEWHERE : (int)n;
}

/* Calls the view's callback for DIE, which is in the scope PATH, if its tag and name are the wanted ones. */
static bool view_die(Dwarf_Die *die, const char *path, void *data)
{
	const struct view *v = data;
	const char *name;

	if (dwarf_tag(die) != v->tag)
		return false;
	name = v->name ? dwarf_diename(die) : NULL;
	if (name && strcmp(name, v->name))
		return false;
	/* A definition is in the unit, its declaration in the scope. */
	if (dwarf_hasattr(die, DW_AT_specification))
		path = dwarf_scope_path(die, "");
	v->fn(die, rank_of(v, path), v->data);
	return false;
}

void dwarf_visible(Dwarf_Die *code, int tag, const char *name, void (*fn)(Dwarf_Die *die, int rank, void *data), void *data)
{
	struct view v = { .from = "", .tag = tag, .name = name, .fn = fn, .data = data };
	Dwarf_Die unit;

	if (!dwarf_diecu(code, &unit, NULL, NULL))
		return;
	if (!dwarf_is_c(&unit))
		v.from = dwarf_scope_path(code, "");
	dwarf_walk_unit(&unit, view_die, &v);
}

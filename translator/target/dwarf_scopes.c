/* Scopes of C++: the namespaces and classes around a DIE, and the DIEs that code in one of them can see.
 *
 * A name is looked up in the scopes around the code, from the innermost to the unit. Namespaces without a name count as
 * their surroundings. In C the unit is the only scope.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/dwarf_reader.h"

enum { NAMESPACE_DEPTH_MAX = 64 };

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

/* Gives DIE, which stands in the scope PATH, to the callback where it is asked for. */
static void view_die(const struct view *v, Dwarf_Die *die, const char *path)
{
	const char *name;

	if (dwarf_tag(die) != v->tag)
		return;
	name = v->name ? dwarf_diename(die) : NULL;
	if (name && strcmp(name, v->name))
		return;
	/* A definition stands in the unit, its declaration in the scope. */
	if (dwarf_hasattr(die, DW_AT_specification))
		path = dwarf_scope_path(die, "");
	v->fn(die, rank_of(v, path), v->data);
}

static void view_children(const struct view *v, Dwarf_Die *parent, const char *path, int depth)
{
	Dwarf_Die die;

	if (depth > NAMESPACE_DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		const char *name = dwarf_is_scope(&die) ? dwarf_diename(&die) : NULL;

		view_die(v, &die, path);
		if (dwarf_is_scope(&die))
			view_children(v, &die, name ? arena_printf(&program_arena, "%s%s::", path, name) : path, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

void dwarf_visible(Dwarf_Die *code, int tag, const char *name, void (*fn)(Dwarf_Die *die, int rank, void *data), void *data)
{
	struct view v = { .from = "", .tag = tag, .name = name, .fn = fn, .data = data };
	Dwarf_Die cu, die;

	if (!dwarf_diecu(code, &cu, NULL, NULL))
		return;
	if (!dwarf_is_c(&cu)) {
		v.from = dwarf_scope_path(code, "");
		view_children(&v, &cu, "", 0);
		return;
	}
	if (dwarf_child(&cu, &die))
		return;
	do
		view_die(&v, &die, "");
	while (!dwarf_siblingof(&die, &die));
}

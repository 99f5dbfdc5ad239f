/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes of C++: the namespaces and classes around a DIE, and the DIEs that code in one of them can see.
 *
 * A name is looked up in the scopes around the code, from the innermost to the unit. Namespaces without a name count as
 * their surroundings. In C the unit is the only scope.
 */
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/dwarf-reader.h"

enum { SCOPE_DEPTH_MAX = 64 };

bool dwarf_declaration(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_root(die, ret))
		return false;
	return !dwarf_attr(ret, DW_AT_specification, &attr) || dwarf_formref_die(&attr, ret);
}

static bool walk_scope(Dwarf_Die *parent, const char *path, int levels, dwarf_scope_fn *fn, void *data)
{
	Dwarf_Die die;

	dwarf_each_child(parent, &die) {
		const char *name;

		if (fn(&die, path, data))
			return true;
		if (!levels || !dwarf_is_scope(&die))
			continue;
		name = dwarf_diename(&die);
		if (walk_scope(&die, name ? arena_printf(&program_arena, "%s%s::", path, name) : path, levels - 1, fn, data))
			return true;
	}
	return false;
}

bool dwarf_walk_unit(Dwarf_Die *unit, dwarf_scope_fn *fn, void *data)
{
	return walk_scope(unit, "", dwarf_is_c(unit) ? 0 : SCOPE_DEPTH_MAX, fn, data);
}

/* ---- names for people ---- */
static bool is_call_operator(Dwarf_Die *die)
{
	const char *name = dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;

	return name && !strncmp(name, "operator()", strlen("operator()"));
}

/* The types of the parameters of a lambda's FUNCTION: "(int, const char *)". */
static const char *parameters(struct dwarf_target *t, Dwarf_Die *function)
{
	const char *ret = "(", *comma = "";
	Dwarf_Die die;

	dwarf_each_child(function, &die) {
		const struct ctype *type;

		if (dwarf_tag(&die) != DW_TAG_formal_parameter || dwarf_hasattr(&die, DW_AT_artificial))
			continue;
		type = dwarf_type_of(t, &die);
		ret = arena_printf(&program_arena, "%s%s%s", ret, comma, type ? type->name : "void");
		comma = ", ";
	}
	return arena_printf(&program_arena, "%s)", ret);
}

/* Does the class DIE, which has no name, have a call operator with these PARAMETERS, beginning at the line? */
static bool is_lambda(struct dwarf_target *t, Dwarf_Die *class, uint64_t line, const char *wanted)
{
	Dwarf_Die die;

	if (!dwarf_is_scope(class) || dwarf_diename(class) || dwarf_number(class, DW_AT_decl_line, 0) != line)
		return false;
	dwarf_each_child(class, &die) {
		if (is_call_operator(&die) && !strcmp(parameters(t, &die), wanted))
			return true;
	}
	return false;
}

/* The name of the lambda whose class and call operator these are: "{lambda(int)}", and "{lambda(int):2}" for the second of several in a
 * line. PARENT has the class. The numbers of mangled names are not known here: compilers do not count in one way. */
static const char *lambda_name(struct dwarf_target *t, Dwarf_Die *parent, Dwarf_Die *class, Dwarf_Die *function)
{
	uint64_t line = dwarf_number(class, DW_AT_decl_line, 0);
	const char *of = parameters(t, function);
	int number = 0, n = 0;
	Dwarf_Die die;

	dwarf_each_child(parent, &die) {
		n += is_lambda(t, &die, line, of);
		if (die.addr == class->addr)
			number = n;
	}
	return n > 1 ? arena_printf(&program_arena, "{lambda%s:%d}", of, number) : arena_printf(&program_arena, "{lambda%s}", of);
}

enum { PATH_DEPTH_MAX = 16 };

/* UNNAMED: with names for scopes that have none. */
static const char *scope_path(struct dwarf_target *t, Dwarf_Die *die, bool unnamed, int depth)
{
	Dwarf_Die inner, scope, outer;
	const char *path = "";
	bool in_lambda = false;

	if (depth > PATH_DEPTH_MAX || !dwarf_declaration(die, &inner))
		return path;
	for (; dwarf_parent(t, &inner, &scope); inner = scope) {
		const char *name = dwarf_diename(&scope);

		/* Lambdas are told apart by the function that has them. */
		if (unnamed && in_lambda && name && dwarf_tag(&scope) == DW_TAG_subprogram)
			return arena_printf(&program_arena, "%s%s::%s", scope_path(t, &scope, unnamed, depth + 1), name, path);
		if (!dwarf_is_scope(&scope) || (!name && !unnamed))
			continue;
		if (!name && is_call_operator(&inner) && dwarf_parent(t, &scope, &outer)) {
			name = lambda_name(t, &outer, &scope, &inner);
			in_lambda = true;
		} else if (!name) {
			name = dwarf_tag(&scope) == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed type}";
		}
		path = arena_printf(&program_arena, "%s::%s", name, path);
	}
	return path;
}

const char *dwarf_scope_path(struct dwarf_target *t, Dwarf_Die *die)
{
	return scope_path(t, die, false, 0);
}

const char *dwarf_scope_names(struct dwarf_target *t, Dwarf_Die *die)
{
	return scope_path(t, die, true, 0);
}

/* ---- names that code sees ---- */
/* A walk over what the code in scope FROM can see. */
struct view {
	struct dwarf_target *t;
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
		path = dwarf_scope_path(v->t, die);
	v->fn(die, rank_of(v, path), v->data);
	return false;
}

void dwarf_visible(struct dwarf_target *t, Dwarf_Die *code, int tag, const char *name, void (*fn)(Dwarf_Die *die, int rank, void *data), void *data)
{
	struct view v = { .t = t, .from = "", .tag = tag, .name = name, .fn = fn, .data = data };
	Dwarf_Die unit;

	if (!dwarf_diecu(code, &unit, NULL, NULL))
		return;
	if (!dwarf_is_c(&unit))
		v.from = dwarf_scope_path(t, code);
	dwarf_walk_unit(&unit, view_die, &v);
}

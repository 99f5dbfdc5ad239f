/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of a file by name. A kernel has thousands of units which repeat each other's types, and asking libdw for one
 * entry takes a microsecond, so no unit is read twice: they are read in their order, as far as the search must go, and
 * the first definition of each name is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/map.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"

struct dwarf_names {
	struct map map;    /* by name and tag; rows in the order of the file */
	Dwarf_Die *dies;   /* of the rows */
	struct dwarf_walk walk; /* at the unit read last */
	bool all;
	struct map in_unit;     /* by name and unit: what was asked last */
};

/* Types of a scope are known by "scope::name". */
static bool add(Dwarf_Die *die, const char *path, void *data)
{
	struct dwarf_names *ns = data;
	unsigned tag = dwarf_type_tag(die);
	const char *name = tag ? dwarf_diename(die) : NULL;
	size_t n = ns->map.n;

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	if (*path)
		name = arena_printf(&program_arena, "%s%s", path, name);
	map_add(&ns->map, name, tag);
	if (ns->map.n > n)
		*vec_add(ns->dies, n) = *die;
	return false;
}

/* False: there is no further unit. */
static bool read_unit(struct dwarf_names *ns, struct dwarf_target *t)
{
	Dwarf_Die unit;

	if (ns->all || !dwarf_unit_next(t, &ns->walk, &unit)) {
		ns->all = true;
		return false;
	}
	dwarf_walk_unit(&unit, add, ns);
	return true;
}

/* Returns the type of that name which comes first in the file. TAGS: bits. */
static const Dwarf_Die *find(const struct dwarf_names *ns, const char *name, unsigned tags)
{
	const struct map_row *best = NULL;

	for (; tags; tags &= tags - 1) {
		const struct map_row *r = map_find(&ns->map, name, tags & -tags);

		if (r && (!best || r < best))
			best = r;
	}
	return best ? &ns->dies[best - ns->map.row] : NULL;
}

static void names_of(struct dwarf_target *t)
{
	if (t->names)
		return;
	t->names = xmalloc(sizeof(*t->names));
	*t->names = (struct dwarf_names){ 0 };
}

bool dwarf_name_find(struct dwarf_target *t, const char *name, unsigned tags, Dwarf_Die *ret)
{
	const Dwarf_Die *die;

	names_of(t);
	while (!(die = find(t->names, name, tags)))
		if (!read_unit(t->names, t))
			return false;
	*ret = *die;
	return true;
}

/* A type that was looked for in a unit. */
struct unit_type {
	const char *name;
	unsigned tags;
	Dwarf_Die die;
	bool found;
};

static bool is_wanted(Dwarf_Die *die, const char *path, void *data)
{
	struct unit_type *s = data;
	const char *name = dwarf_type_tag(die) & s->tags ? dwarf_diename(die) : NULL;
	size_t n = strlen(path);

	if (!name || strncmp(s->name, path, n) || strcmp(s->name + n, name) || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	s->die = *die;
	return true;
}

/* A unit of a kernel has 20,000 types, and probes of its functions may ask for the same ones. */
bool dwarf_name_find_in_unit(struct dwarf_target *t, Dwarf_Die *die, const char *name, unsigned tags, Dwarf_Die *ret)
{
	struct unit_type *s;
	struct map_row *row;
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	names_of(t);
	row = map_add(&t->names->in_unit, name, (unsigned)dwarf_dieoffset(&unit));
	s = row->value;
	if (!s || s->tags != tags) {
		s = row->value = arena_new(&program_arena, struct unit_type);
		*s = (struct unit_type){ .name = name, .tags = tags };
		s->found = dwarf_walk_unit(&unit, is_wanted, s);
	}
	*ret = s->die;
	return s->found;
}

void dwarf_type_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	const struct dwarf_names *ns = ((struct dwarf_target *)base)->names;

	for (size_t i = 0; ns && i < ns->map.n; i++)
		fn(ns->map.row[i].name, data);
}

void dwarf_names_free(struct dwarf_names *ns)
{
	if (ns)
		free(ns->dies);
	free(ns);
}

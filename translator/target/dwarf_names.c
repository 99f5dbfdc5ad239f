/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of a file by name. A kernel has thousands of units which repeat each other's types, and asking libdw for one
 * entry takes a microsecond, so no unit is read twice: they are read in their order, as far as the search must go, and
 * the first definition of each name is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/target/dwarf_reader.h"

struct row {
	const char *name;  /* NULL: a free row */
	unsigned tag;
	size_t number;     /* in the order of the file */
	Dwarf_Die die;
};

struct dwarf_names {
	struct row *rows;
	size_t size;       /* a power of two, so that at least half of the rows are free */
	size_t n;
	struct dwarf_walk walk; /* at the unit read last */
	bool all;
};

enum { SIZE_AT_FIRST = 1 << 12 };

static size_t hash(const char *s)
{
	size_t h = 14695981039346656037u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h ^ h >> 32;
}

/* The row of that name and tag, or the free one where it belongs. */
static struct row *find_row(const struct dwarf_names *ns, const char *name, unsigned tag)
{
	for (size_t i = hash(name);; i++) {
		struct row *r = &ns->rows[i & (ns->size - 1)];

		if (!r->name || (r->tag == tag && !strcmp(r->name, name)))
			return r;
	}
}

static void grow(struct dwarf_names *ns)
{
	struct row *old = ns->rows;
	size_t n = ns->size;

	ns->size = n ? 2 * n : SIZE_AT_FIRST;
	ns->rows = xmalloc(ns->size * sizeof(*ns->rows));
	memset(ns->rows, 0, ns->size * sizeof(*ns->rows));
	for (size_t i = 0; i < n; i++)
		if (old[i].name)
			*find_row(ns, old[i].name, old[i].tag) = old[i];
	free(old);
}

/* Types of a scope are known by "scope::name". */
static bool add(Dwarf_Die *die, const char *path, void *data)
{
	struct dwarf_names *ns = data;
	unsigned tag = dwarf_type_tag(die);
	const char *name = tag ? dwarf_diename(die) : NULL;
	struct row *r;

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	if (*path)
		name = arena_printf(&program_arena, "%s%s", path, name);
	if (2 * ns->n >= ns->size)
		grow(ns);
	r = find_row(ns, name, tag);
	if (!r->name)
		*r = (struct row){ .name = name, .tag = tag, .number = ns->n++, .die = *die };
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

static const struct row *find(const struct dwarf_names *ns, const char *name, unsigned tags)
{
	const struct row *best = NULL;

	for (; tags && ns->size; tags &= tags - 1) {
		const struct row *r = find_row(ns, name, tags & -tags);

		if (r->name && (!best || r->number < best->number))
			best = r;
	}
	return best;
}

bool dwarf_name_find(struct dwarf_target *t, const char *name, unsigned tags, Dwarf_Die *ret)
{
	const struct row *r;

	if (!t->names) {
		t->names = xmalloc(sizeof(*t->names));
		*t->names = (struct dwarf_names){ 0 };
	}
	while (!(r = find(t->names, name, tags)))
		if (!read_unit(t->names, t))
			return false;
	*ret = r->die;
	return true;
}

void dwarf_type_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	const struct dwarf_names *ns = ((struct dwarf_target *)base)->names;

	for (size_t i = 0; ns && i < ns->size; i++)
		if (ns->rows[i].name)
			fn(ns->rows[i].name, data);
}

void dwarf_names_free(struct dwarf_names *ns)
{
	if (ns)
		free(ns->rows);
	free(ns);
}

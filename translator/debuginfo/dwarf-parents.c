/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DIE around a DIE.
 *
 * DWARF has no link from a DIE to its parent, and libdw searches the unit for it each time. Here one walk over a unit makes a table of the
 * DIEs that have children, in their order, which is that of their addresses. A DIE is in the last of them that begins before it, or in one
 * around that. What is inside of types holds no code in C, and is left out there.
 */
#include <stdlib.h>

#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"

enum { DEPTH_MAX = 256, NONE = -1 };

struct parent_node {
	uint64_t addr, last; /* of the DIE, and of the last one in it */
	int around;        /* number of its parent's node */
};

struct dwarf_parents {
	struct Dwarf_CU *unit;
	struct parent_node *nodes;
	size_t n;
};

/* Adds the DIEs in PARENT, and returns the address of the last one. */
static uint64_t add_children(struct dwarf_parents *p, Dwarf_Die *parent, int around, bool is_c, int depth)
{
	uint64_t addr = (uintptr_t)parent->addr, last = addr;
	size_t number = p->n;
	Dwarf_Die die;

	if (depth > DEPTH_MAX || (is_c && dwarf_is_scope(parent)) || dwarf_child(parent, &die))
		return last;
	*vec_add(p->nodes, p->n) = (struct parent_node){ .addr = addr, .around = around };
	do
		last = add_children(p, &die, (int)number, is_c, depth + 1);
	while (!dwarf_siblingof(&die, &die));
	p->nodes[number].last = last;
	return last;
}

/* Returns the table of the unit of DIE, which is made when it is asked for first. */
static const struct dwarf_parents *parents_of(struct dwarf_target *t, Dwarf_Die *die)
{
	struct dwarf_parents p = { .unit = die->cu };
	Dwarf_Die unit;

	for (size_t i = t->n_parents; i--;)
		if (t->parents[i].unit == die->cu)
			return &t->parents[i];
	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return NULL;
	add_children(&p, &unit, NONE, dwarf_is_c(&unit), 0);
	*vec_add(t->parents, t->n_parents) = p;
	return &t->parents[t->n_parents - 1];
}

bool dwarf_parent(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Die *ret)
{
	const struct dwarf_parents *p = parents_of(t, die);
	uint64_t addr = (uintptr_t)die->addr;
	int i = p ? (int)rows_before(&addr, p->nodes, p->n, sizeof(*p->nodes), by_number) - 1 : NONE;

	while (i != NONE && p->nodes[i].last < addr)
		i = p->nodes[i].around;
	if (i == NONE)
		return false;
	*ret = (Dwarf_Die){ .addr = (void *)(uintptr_t)p->nodes[i].addr, .cu = die->cu };
	return true;
}

void dwarf_parents_free(struct dwarf_target *t)
{
	for (size_t i = 0; i < t->n_parents; i++)
		free(t->parents[i].nodes);
	free(t->parents);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names in an @enumname node: those of a type's enumerators, or of the variants of an enum with data. */
#include "translator/probe/enumerators.h"

#include <string.h>

#include "lib/arena.h"

enum { NAMES_MAX = 4096 };

static struct node *name_node(struct loc loc, const char *name)
{
	struct node *n = node_new(ND_STR, loc);

	n->text = arena_strdup(&program_arena, name);
	n->text_len = strlen(name);
	return n;
}

/* The names of the variants of an enum with data, whose discriminant is of TYPE. */
static void variant_names(struct node *n, const struct ctype *type)
{
	struct node **end = &n->list, *one;
	const char *name;
	int64_t value;
	bool other;

	for (int i = 0; i < NAMES_MAX && (name = ctype_variant(type, i, &other, &value)); i++) {
		one = name_node(n->loc, name);
		if (other) {
			n->kid[1] = one;
			continue;
		}
		one->num = value;
		*end = one;
		end = &one->next;
	}
}

void enumerators_of(struct node *n, const struct ctype *type)
{
	struct node **end = &n->list;
	const char *name;
	int64_t value;

	variant_names(n, type);
	for (int i = 0; i < NAMES_MAX && (name = ctype_enumerator(type, i, &value)); i++) {
		const struct node *known = n->list;

		/* Of several names of one number the first is meant. */
		while (known && known->num != value)
			known = known->next;
		if (known)
			continue;
		*end = name_node(n->loc, name);
		(*end)->num = value;
		end = &(*end)->next;
	}
}

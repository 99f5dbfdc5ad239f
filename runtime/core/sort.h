/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting of what a foreach goes through: in place, iterative, n log n at worst, no memory of its own. */
#ifndef KT_CORE_SORT_H
#define KT_CORE_SORT_H

#include "map.h"

/* Items are ordered by their keys, upwards: kt_sort_number() and kt_sort_text() make them so that this is the loop's order. Equal
 * keys of strings are decided by the strings, what is still equal by rank: no two items are equal. */
struct kt_sorter {
	struct kt_sort_item *items;
	kt_u32 n, max;        /* keeps the first MAX of all items */
	int heaped;           /* there were more: the items are a heap, whose root is the last of them */
	const struct kt_map *texts; /* sorted by strings of this map, else NULL */
	kt_u32 word;          /* of the node: where the string lies */
	int down;             /* descending */
	struct kt_ctx *c;     /* which lets interrupts in */
};

/* Sorting costs so many visits an element. */
enum { KT_SORT_VISITS = 2 };

/* The key of the number V. */
static inline kt_s64 kt_sort_number(const struct kt_sorter *s, kt_s64 v)
{
	return s->down ? ~v : v;
}
/* The key of the string of the element NODE. */
kt_s64 kt_sort_text(const struct kt_sorter *s, const struct kt_node *node);

/* Offers an item; when there are more than `max`, the last in order falls out. */
void kt_sort_add(struct kt_sorter *s, const struct kt_sort_item *item);
/* Puts s->items[0 .. s->n) into order. */
void kt_sort_finish(struct kt_sorter *s);

#endif

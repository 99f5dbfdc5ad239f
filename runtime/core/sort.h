/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting of what a foreach goes through: in place, iterative, n log n at worst, no memory of its own. */
#ifndef KT_CORE_SORT_H
#define KT_CORE_SORT_H

#include "map.h"

/* Whether A comes before B. Total: no two items are equal, kt_sort_item.rank sees to that. */
typedef int kt_before_fn(const void *data, const struct kt_sort_item *a, const struct kt_sort_item *b);

/* The first items of a sequence, in a heap whose root is the last of them: add one by one, then finish. */
struct kt_sorter {
	struct kt_sort_item *items;
	kt_u32 n, max;
	kt_before_fn *before;
	const void *data;
	struct kt_ctx *c; /* which lets interrupts in */
};

/* Putting one item in its place takes as long as visiting so many elements. */
enum { KT_SINK_VISITS = 2 };

/* Offers an item; when there are more than `max`, the last in order falls out. */
void kt_sort_add(struct kt_sorter *s, const struct kt_sort_item *item);
/* Puts s->items[0 .. s->n) into order. */
void kt_sort_finish(struct kt_sorter *s);

#endif

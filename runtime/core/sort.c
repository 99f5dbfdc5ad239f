/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bounded heap: keeps the first `max` items of any number, then sorts them in place.
 *
 * With max = n this is heap sort; with a small limit the cost is n log max. Context: any.
 */
#include "sort.h"

/* Moves the item at AT down until no child comes after it. */
static void sink(struct kt_sorter *s, kt_u32 at, kt_u32 n)
{
	struct kt_sort_item item = s->items[at];

	kt_pause(s->c, KT_SINK_VISITS);
	for (;;) {
		kt_u32 child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && s->before(s->data, &s->items[child], &s->items[child + 1]))
			child++;
		if (!s->before(s->data, &item, &s->items[child]))
			break;
		s->items[at] = s->items[child];
		at = child;
	}
	s->items[at] = item;
}

void kt_sort_add(struct kt_sorter *s, const struct kt_sort_item *item)
{
	if (s->n < s->max) {
		s->items[s->n++] = *item;
		/* The heap is built when it is full, or at the end: cheaper than one by one. */
		if (s->n == s->max) {
			for (kt_u32 i = s->n / 2; i-- > 0;)
				sink(s, i, s->n);
		}
		return;
	}
	if (s->max && s->before(s->data, item, &s->items[0])) {
		s->items[0] = *item;
		sink(s, 0, s->n);
	}
}

void kt_sort_finish(struct kt_sorter *s)
{
	if (s->n < s->max) {
		for (kt_u32 i = s->n / 2; i-- > 0;)
			sink(s, i, s->n);
	}
	for (kt_u32 n = s->n; n > 1; n--) {
		struct kt_sort_item last = s->items[0];

		s->items[0] = s->items[n - 1];
		s->items[n - 1] = last;
		sink(s, 0, n - 1);
	}
}

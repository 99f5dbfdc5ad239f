/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts in place, iteratively, in n log n steps at worst: a quicksort that turns to a heap sort where its pivots are bad.
 *
 * Where only the first few are wanted, a bounded heap keeps them: n log max. Context: any.
 */
#include "core.h"
#include "sort.h"
#include "text.h"

enum {
	FEW = 12,           /* items that are sorted by insertion */
	RANGES = 32,        /* the smaller half is sorted first, so this is enough for 2^32 items */
	PAUSE_EVERY = 1024, /* items that are looked at between two pauses */
};

/* Items FROM to TO, the latter not included, and how many bad pivots may still be met there. */
struct range {
	kt_u32 from, to, depth;
};

kt_s64 kt_sort_text(const struct kt_sorter *s, const struct kt_node *node)
{
	const struct kt_text *text = kt_node_text(node, s->word);
	const char *at = s->texts->blocks[text->block].text;
	kt_u64 key = 0;

	for (kt_u32 i = 0; i < sizeof(key); i++)
		key = key << 8 | (i < text->len ? (unsigned char)at[i] : 0);
	return kt_sort_number(s, (kt_s64)(key ^ 1ull << 63));
}

static __attribute__((__noinline__)) int text_before(const struct kt_sorter *s, const struct kt_sort_item *a,
							  const struct kt_sort_item *b)
{
	const struct kt_map *m = s->texts;
	int diff = kt_text_compare(m, kt_node_text(kt_map_node(m, a->node), s->word),
				   m, kt_node_text(kt_map_node(m, b->node), s->word));

	if (diff)
		return s->down ? diff > 0 : diff < 0;
	return a->rank < b->rank;
}

/* Numbers are compared without a branch, which would be mispredicted every second time. */
static inline __attribute__((always_inline)) int before(const struct kt_sorter *s, const struct kt_sort_item *a,
							const struct kt_sort_item *b)
{
	if (s->texts && a->key == b->key)
		return text_before(s, a, b);
	return (a->key < b->key) | ((a->key == b->key) & (a->rank < b->rank));
}

static inline void swap(struct kt_sort_item *a, struct kt_sort_item *b)
{
	struct kt_sort_item item = *a;

	*a = *b;
	*b = item;
}

/* ---- a heap of N items: its root is the last in order ---- */
/* Moves the item at AT down until no child comes after it. */
static void sink(struct kt_sorter *s, struct kt_sort_item *items, kt_u32 at, kt_u32 n)
{
	struct kt_sort_item item = items[at];

	kt_pause(s->c, KT_SORT_VISITS);
	for (;;) {
		kt_u32 child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && before(s, &items[child], &items[child + 1]))
			child++;
		if (!before(s, &item, &items[child]))
			break;
		items[at] = items[child];
		at = child;
	}
	items[at] = item;
}

static void heap_make(struct kt_sorter *s, struct kt_sort_item *items, kt_u32 n)
{
	for (kt_u32 i = n / 2; i-- > 0;)
		sink(s, items, i, n);
}

static void heap_empty(struct kt_sorter *s, struct kt_sort_item *items, kt_u32 n)
{
	for (; n > 1; n--) {
		swap(&items[0], &items[n - 1]);
		sink(s, items, 0, n - 1);
	}
}

/* ---- ranges ---- */
static void sort_few(struct kt_sorter *s, kt_u32 from, kt_u32 to)
{
	for (kt_u32 i = from + 1; i < to; i++) {
		struct kt_sort_item item = s->items[i];
		kt_u32 at = i;

		for (; at > from && before(s, &item, &s->items[at - 1]); at--)
			s->items[at] = s->items[at - 1];
		s->items[at] = item;
	}
	kt_pause(s->c, to - from);
}

/* Puts the middle one of three items last in the range: the pivot. */
static void choose_pivot(struct kt_sorter *s, kt_u32 from, kt_u32 to)
{
	struct kt_sort_item *a = &s->items[from], *middle = &s->items[from + (to - from) / 2], *last = &s->items[to - 1];

	if (before(s, middle, a))
		swap(middle, a);
	if (before(s, last, middle))
		swap(last, middle);
	if (before(s, middle, a))
		swap(middle, a);
	swap(middle, last);
}

/* Moves what comes before the last item of the range before it, the others after it. Returns where it is then. */
static kt_u32 partition(struct kt_sorter *s, kt_u32 from, kt_u32 to)
{
	struct kt_sort_item *items = s->items, pivot = items[to - 1];
	kt_u32 at = from;

	for (kt_u32 i = from; i < to - 1;) {
		kt_u32 stop = kt_min_u32(to - 1, i + PAUSE_EVERY);

		kt_pause(s->c, stop - i);
		for (; i < stop; i++) {
			struct kt_sort_item item = items[i];

			items[i] = items[at];
			items[at] = item;
			at += (kt_u32)before(s, &item, &pivot);
		}
	}
	swap(&items[at], &items[to - 1]);
	return at;
}

static void sort_all(struct kt_sorter *s)
{
	struct range pending[RANGES], r = { 0, s->n, 1 };
	kt_u32 n = 0;

	for (kt_u32 size = s->n; size > 1; size /= 2)
		r.depth += 2;
	for (;;) {
		while (r.to - r.from > FEW && r.depth) {
			kt_u32 at;

			choose_pivot(s, r.from, r.to);
			at = partition(s, r.from, r.to);
			r.depth--;
			if (at - r.from < r.to - at) {
				pending[n++] = (struct range){ at + 1, r.to, r.depth };
				r.to = at;
			} else {
				pending[n++] = (struct range){ r.from, at, r.depth };
				r.from = at + 1;
			}
		}
		if (r.to - r.from > FEW) {
			heap_make(s, s->items + r.from, r.to - r.from);
			heap_empty(s, s->items + r.from, r.to - r.from);
		} else {
			sort_few(s, r.from, r.to);
		}
		if (!n)
			break;
		r = pending[--n];
	}
}

void kt_sort_add(struct kt_sorter *s, const struct kt_sort_item *item)
{
	if (s->n < s->max) {
		s->items[s->n++] = *item;
		return;
	}
	if (!s->heaped)
		heap_make(s, s->items, s->n);
	s->heaped = 1;
	if (s->max && before(s, item, &s->items[0])) {
		s->items[0] = *item;
		sink(s, s->items, 0, s->n);
	}
}

void kt_sort_finish(struct kt_sorter *s)
{
	if (s->heaped)
		heap_empty(s, s->items, s->n);
	else
		sort_all(s);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach over an array: in order of creation straight along the elements' own links, sorted through a list of
 * their numbers in the loop's scratch room.
 *
 * Context: any, under the array's lock. Starting a sorted loop costs n log limit comparisons, an unsorted one nothing. The turns
 * of a loop are bounded by MAXACTION, the sorting and what a slice leaves out by MAXVISITS.
 */
#include "core.h"
#include "sort.h"
#include "text.h"

/* The sort order: how two elements are compared. */
struct order {
	const struct kt_map *map;
	kt_u32 word;    /* of the node: where the key or value lies */
	int is_text;
	int down;
};

static int before(const void *data, const struct kt_sort_item *a, const struct kt_sort_item *b)
{
	const struct order *o = data;
	int diff;

	if (o->is_text)
		diff = kt_text_compare(o->map, kt_node_text(kt_map_node(o->map, a->node), o->word),
				       o->map, kt_node_text(kt_map_node(o->map, b->node), o->word));
	else
		diff = a->key < b->key ? -1 : a->key > b->key;
	if (diff)
		return o->down ? diff > 0 : diff < 0;
	return a->rank < b->rank;
}

static int in_slice(const struct kt_loop *loop, const struct kt_node *node)
{
	const struct kt_map_type *t = loop->map->type;

	for (kt_u32 i = 0; loop->slice && i < t->n_keys; i++) {
		if (loop->any >> i & 1)
			continue;
		if (t->string_keys >> i & 1 ? !kt_text_equals(loop->map, kt_node_text(node, i), loop->slice[i].string)
					    : node->word[i] != loop->slice[i].number)
			return 0;
	}
	return 1;
}

/* The number an element is sorted by. Aggregates without a value come as 0. */
static kt_s64 sort_key(struct kt_ctx *c, const struct kt_loop *loop, const struct kt_node *node, kt_u32 word)
{
	const kt_s64 *value = &node->word[word];

	if (loop->sort == KT_SORT_VALUE && loop->map->type->value == KT_VALUE_STAT)
		return *value ? kt_stat_get(c, value, loop->map->type->stat, loop->op, loop->op_param) : 0;
	return *value;
}

static void sort_elements(struct kt_ctx *c, struct kt_loop *loop)
{
	const struct kt_map *m = loop->map;
	const struct kt_map_type *t = m->type;
	struct order order = { .map = m, .down = loop->down };
	struct kt_sorter sorter = {
		.items = m->sort + (__SIZE_TYPE__)loop->slot * t->entries, .max = loop->left, .before = before,
		.data = &order, .c = c,
	};
	struct kt_sort_item item = { 0, 0, 0 };

	order.word = loop->sort == KT_SORT_VALUE ? m->value_at : (kt_u32)loop->sort;
	order.is_text = loop->sort == KT_SORT_VALUE ? t->value == KT_VALUE_STRING : t->string_keys >> loop->sort & 1;
	for (kt_u32 n = m->oldest; n; n = kt_map_node(m, n)->newer) {
		const struct kt_node *node = kt_map_node(m, n);

		if (!in_slice(loop, node))
			continue;
		item.node = n;
		item.rank++;
		if (!order.is_text)
			item.key = sort_key(c, loop, node, order.word);
		kt_sort_add(&sorter, &item);
		kt_pause(c, 1);
	}
	kt_sort_finish(&sorter);
	loop->order = sorter.items;
	loop->left = sorter.n;
}

void kt_loop_start_any(struct kt_ctx *c, struct kt_loop *loop)
{
	const struct kt_map *m = loop->map;

	loop->at = loop->node = 0;
	loop->order = NULL;
	loop->next = m->oldest;
	loop->left = loop->limit < 1 ? 0 : loop->limit < m->count ? (kt_u32)loop->limit : m->count;
	if (!loop->left || !m->sort || loop->slot >= m->type->sort_slots)
		return;
	if (kt_visit(c, m->count + (kt_s64)KT_SINK_VISITS * loop->left))
		sort_elements(c, loop);
	else
		loop->left = 0;
}

int kt_loop_next_any(struct kt_ctx *c, struct kt_loop *loop)
{
	kt_pause(c, KT_TURN_VISITS);
	if (loop->order) {
		if (loop->at >= loop->left)
			return 0;
		loop->node = loop->order[loop->at++].node;
		return 1;
	}
	while (loop->left && loop->next) {
		struct kt_node *node = kt_map_node(loop->map, loop->next);

		loop->node = loop->next;
		loop->next = node->newer;
		if (in_slice(loop, node)) {
			loop->left--;
			return 1;
		}
		if (!kt_visit(c, 1))
			return 0;
	}
	return 0;
}

void kt_map_copy_string(const struct kt_map *m, kt_u32 n, kt_u32 i, char *ret, kt_u32 size)
{
	kt_text_copy(m, kt_node_text(kt_map_node(m, n), i), ret, size);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach over an array: in order of creation straight along the elements' own links, sorted through a list of
 * their numbers in the loop's scratch space.
 *
 * Context: any, under the array's lock. Starting a sorted loop costs n log limit comparisons, an unsorted one nothing. The turns
 * of a loop are bounded by MAXACTION, the sorting and what a slice leaves out by MAXVISITS.
 */
#include "core.h"
#include "sort.h"
#include "text.h"

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
	struct kt_sorter sorter = {
		.items = m->sort + (__SIZE_TYPE__)loop->slot * t->entries, .max = loop->left, .down = loop->down,
		.word = loop->sort == KT_SORT_VALUE ? m->value_at : (kt_u32)loop->sort, .c = c,
	};
	struct kt_sort_item item = { 0, 0, 0 };

	if (loop->sort == KT_SORT_VALUE ? t->value == KT_VALUE_STRING : t->string_keys >> loop->sort & 1)
		sorter.texts = m;
	for (kt_u32 n = m->oldest; n; n = kt_map_node(m, n)->newer) {
		const struct kt_node *node = kt_map_node(m, n);

		if (!in_slice(loop, node))
			continue;
		item.node = n;
		item.rank++;
		item.key = sorter.texts ? kt_sort_text(&sorter, node)
					: kt_sort_number(&sorter, sort_key(c, loop, node, sorter.word));
		kt_sort_add(&sorter, &item);
		kt_pause(c, 1);
	}
	kt_sort_finish(&sorter);
	loop->order = sorter.items;
	loop->left = sorter.n;
}

void kt_loop_start(struct kt_ctx *c, struct kt_loop *loop)
{
	const struct kt_map *m = loop->map;

	kt_loop_start_plain(loop);
	loop->at = 0;
	loop->node = NULL;
	loop->order = NULL;
	if (loop->sort == KT_SORT_NONE || !loop->left || !m->sort || loop->slot >= m->type->sort_slots)
		return;
	if (kt_visit(c, m->count + (kt_s64)KT_SORT_VISITS * loop->left))
		sort_elements(c, loop);
	else
		loop->left = 0;
}

enum { TURNS_AT_ONCE = 64 };

kt_u32 kt_loop_turns(struct kt_ctx *c, kt_u32 left)
{
	if (!(c->flags & KT_CTX_OWN))
		return left;
	left = kt_min_u32(left, TURNS_AT_ONCE);
	kt_visit(c, (kt_s64)KT_TURN_VISITS * left);
	return left;
}

int kt_loop_next(struct kt_ctx *c, struct kt_loop *loop)
{
	if (loop->order)
		return kt_loop_next_sorted(c, loop);
	if (!loop->slice)
		return kt_loop_next_plain(c, loop);
	if (!loop->next || !kt_loop_turn(c, loop))
		return 0;
	do {
		loop->node = kt_map_node(loop->map, loop->next);
		loop->next = loop->node->newer;
		if (in_slice(loop, loop->node))
			return 1;
	} while (loop->next && kt_visit(c, 1));
	return 0;
}

void kt_map_copy_string(const struct kt_map *m, const struct kt_node *node, kt_u32 i, char *ret, kt_u32 size)
{
	kt_text_copy(m, kt_node_text(node, i), ret, size);
}

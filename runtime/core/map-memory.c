/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory an array takes: the translator adds it up for all arrays of a script before anything is allocated. */
#include "core.h"
#include "map-memory.h"

enum {
	PAGES_SHARE = 8,   /* pages for each element on average: values spread over 8 powers of two */
	FULL_STRINGS = 16, /* strings of full length that fit into any map */
};

static kt_u64 blocks_for_type(const struct kt_map_type *t)
{
	kt_u64 strings = t->value == KT_VALUE_STRING;
	kt_u64 wanted = (kt_u64)t->entries * kt_text_blocks(t->text_share ? t->text_share : t->string_max - 1);
	kt_u64 full = (kt_u64)kt_min_u32(t->entries, FULL_STRINGS) * kt_text_blocks(t->string_max - 1);

	for (kt_u32 i = 0; i < t->n_keys; i++)
		strings += t->string_keys >> i & 1;
	return strings * (wanted > full ? wanted : full);
}

int kt_map_layout(struct kt_map_layout *l, const struct kt_map_type *t)
{
	*l = (struct kt_map_layout){ .log2 = 1 };
	if (!t->entries || t->entries > KT_ENTRIES_MAX || t->n_keys > KT_KEYS_MAX)
		return 0;
	while (1u << l->log2 < t->entries)
		l->log2++;
	l->node_words = sizeof(struct kt_node) / sizeof(kt_s64) + t->n_keys + kt_map_value_words(t);
	l->words = KT_FIRST_NODE + (kt_u64)t->entries * l->node_words;
	l->blocks = blocks_for_type(t);
	if (kt_map_has_pages(t))
		l->pages = 1 + (kt_u64)t->entries * PAGES_SHARE + KT_PCT_PAGES;
	return !(l->words >> 32 || l->blocks >> 31 || l->pages >> 31);
}

kt_u64 kt_map_bytes(const struct kt_map_type *t, kt_u32 sort_slots)
{
	struct kt_map_layout l;

	if (!kt_map_layout(&l, t))
		return 0;
	return kt_map_head_bytes(&l) + kt_map_node_bytes(&l) + kt_map_block_bytes(&l) + kt_map_page_bytes(&l) +
	       kt_map_sort_bytes(t, sort_slots);
}

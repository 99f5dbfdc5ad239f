/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory an array takes. */
#ifndef KT_CORE_MAP_MEMORY_H
#define KT_CORE_MAP_MEMORY_H

#include "map.h"
#include "text.h"

/* Its parts. */
struct kt_map_layout {
	kt_u64 words, blocks, pages; /* of nodes, of strings, of percentiles */
	kt_u32 node_words;
	kt_u32 log2;                 /* of the number of heads */
};

enum { KT_FIRST_NODE = 2 /* words; any number but 0 */ };

/* Returns 0 when an array of type T is impossible. */
int kt_map_layout(struct kt_map_layout *l, const struct kt_map_type *t);
/* Returns the bytes of a table of type T with so many sort slots; 0: it is impossible. */
kt_u64 kt_map_bytes(const struct kt_map_type *t, kt_u32 sort_slots);

static inline kt_u64 kt_map_head_bytes(const struct kt_map_layout *l)
{
	return sizeof(kt_u32) << l->log2;
}

static inline kt_u64 kt_map_node_bytes(const struct kt_map_layout *l)
{
	return l->words * sizeof(kt_s64);
}

static inline kt_u64 kt_map_block_bytes(const struct kt_map_layout *l)
{
	return l->blocks ? (l->blocks + 1) * sizeof(struct kt_block) : 0;
}

static inline kt_u64 kt_map_page_bytes(const struct kt_map_layout *l)
{
	return l->pages * KT_PAGE_WORDS * sizeof(kt_s64);
}

static inline kt_u64 kt_map_sort_bytes(const struct kt_map_type *t, kt_u32 slots)
{
	return (kt_u64)slots * t->entries * sizeof(struct kt_sort_item);
}

#endif

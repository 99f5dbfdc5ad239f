/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings stored in a map, each at its own length in a chain of blocks: no fragmentation, and freeing is relinking.
 *
 * The functions work on the blocks of one map; where two maps meet, each text comes with its own. Context: any, under
 * the map's lock. Cost: linear in the text.
 */
#ifndef KT_CORE_TEXT_H
#define KT_CORE_TEXT_H

#include "bytes.h"
#include "map.h"

enum { KT_BLOCK_TEXT = 28 };

struct kt_block {
	kt_u32 next;
	char text[KT_BLOCK_TEXT]; /* zeros after the text; block 0 is all zeros: "" */
};

/* Blocks that a text of LEN bytes takes. */
static inline kt_u32 kt_text_blocks(kt_u32 len)
{
	return (len + KT_BLOCK_TEXT - 1) / KT_BLOCK_TEXT;
}

static inline struct kt_text *kt_node_text(const struct kt_node *node, kt_u32 i)
{
	return (struct kt_text *)&node->word[i];
}

/* Whether a full block has the bytes at S. */
KT_INLINE int kt_block_has(const struct kt_block *b, const char *s)
{
	_Static_assert(KT_BLOCK_TEXT == 3 * 8 + 4, "three words and a half");
	return !((kt_load_word(b->text) ^ kt_load_word(s)) | (kt_load_word(b->text + 8) ^ kt_load_word(s + 8)) |
		 (kt_load_word(b->text + 16) ^ kt_load_word(s + 16)) | (kt_load_half(b->text + 24) ^ kt_load_half(s + 24)));
}

/* Whether the chain at BLOCK, of LEN bytes, holds the LEN bytes at S. */
static inline int kt_text_has(const struct kt_map *m, kt_u32 block, const char *s, kt_u32 len)
{
	for (; len >= KT_BLOCK_TEXT; s += KT_BLOCK_TEXT, len -= KT_BLOCK_TEXT) {
		if (!kt_block_has(&m->blocks[block], s))
			return 0;
		block = m->blocks[block].next;
	}
	return !len || kt_same_bytes(m->blocks[block].text, s, len);
}

/* Stores LEN bytes of S. The caller has compared kt_text_blocks(LEN) with m->blocks_left. */
void kt_text_store(struct kt_map *m, struct kt_text *ret, const char *s, kt_u32 len);
void kt_text_free(struct kt_map *m, struct kt_text *text);
/* Into SIZE bytes, cut if need be, with a NUL. */
void kt_text_copy(const struct kt_map *m, const struct kt_text *text, char *ret, kt_u32 size);
int kt_text_equals(const struct kt_map *m, const struct kt_text *text, const char *s);
/* As strcmp. */
int kt_text_compare(const struct kt_map *ma, const struct kt_text *a, const struct kt_map *mb, const struct kt_text *b);
/* Stores what FROM has in the map MF. Room: as kt_text_store(). */
void kt_text_clone(struct kt_map *m, struct kt_text *ret, const struct kt_map *mf, const struct kt_text *from);

#endif

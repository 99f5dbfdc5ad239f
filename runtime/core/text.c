/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts in chains of blocks: see text.h. Blocks that were never used are taken in order, freed ones from a list. */
#include "core.h"
#include "text.h"

static kt_u32 take_block(struct kt_map *m)
{
	kt_u32 b = m->free_block;

	if (b)
		m->free_block = m->blocks[b].next;
	else
		b = m->fresh_block++;
	m->blocks_left--;
	m->blocks[b] = (struct kt_block){ 0 };
	return b;
}

void kt_text_store(struct kt_map *m, struct kt_text *ret, const char *s, kt_u32 len)
{
	kt_u32 *link = &ret->block, left = len;

	ret->len = len;
	ret->block = 0;
	while (left) {
		kt_u32 b = take_block(m), n = kt_min_u32(left, KT_BLOCK_TEXT);

		kt_copy_bytes(m->blocks[b].text, s, n);
		*link = b;
		link = &m->blocks[b].next;
		s += n;
		left -= n;
	}
}

void kt_text_clone(struct kt_map *m, struct kt_text *ret, const struct kt_map *mf, const struct kt_text *from)
{
	kt_u32 *link = &ret->block, b = from->block;

	ret->len = from->len;
	ret->block = 0;
	for (; b; b = mf->blocks[b].next) {
		kt_u32 to = take_block(m);

		memcpy(m->blocks[to].text, mf->blocks[b].text, KT_BLOCK_TEXT);
		*link = to;
		link = &m->blocks[to].next;
	}
}

void kt_text_free(struct kt_map *m, struct kt_text *text)
{
	kt_u32 last = text->block;

	if (!last)
		return;
	m->blocks_left++;
	while (m->blocks[last].next) {
		last = m->blocks[last].next;
		m->blocks_left++;
	}
	m->blocks[last].next = m->free_block;
	m->free_block = text->block;
	text->block = text->len = 0;
}

void kt_text_copy(const struct kt_map *m, const struct kt_text *text, char *ret, kt_u32 size)
{
	kt_u32 left = kt_min_u32(text->len, size - 1);

	for (kt_u32 b = text->block; left; b = m->blocks[b].next) {
		kt_u32 n = kt_min_u32(left, KT_BLOCK_TEXT);

		kt_copy_bytes(ret, m->blocks[b].text, n);
		ret += n;
		left -= n;
	}
	*ret = 0;
}

int kt_text_equals(const struct kt_map *m, const struct kt_text *text, const char *s)
{
	return kt_length(s, text->len + 1) == text->len && kt_text_has(m, text->block, s, text->len);
}

int kt_text_compare(const struct kt_map *ma, const struct kt_text *a, const struct kt_map *mb, const struct kt_text *b)
{
	kt_u32 left = kt_min_u32(a->len, b->len), x = a->block, y = b->block;

	while (left) {
		kt_u32 n = kt_min_u32(left, KT_BLOCK_TEXT);
		int diff = memcmp(ma->blocks[x].text, mb->blocks[y].text, n);

		if (diff)
			return diff;
		left -= n;
		x = ma->blocks[x].next;
		y = mb->blocks[y].next;
	}
	return a->len < b->len ? -1 : a->len > b->len;
}

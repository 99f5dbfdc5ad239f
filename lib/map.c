/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows in an array, found through open addressing. */
#include "lib/map.h"

#include <stdbool.h>
#include <string.h>

#include "lib/arena.h"

enum { SLOTS_FIRST = 16 };

static uint32_t hash_of(const char *s, size_t len, unsigned number)
{
	uint32_t h = 2166136261u ^ number; /* FNV-1a */

	while (len--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

static bool is_row(const struct map_row *r, uint32_t hash, const char *name, size_t len, unsigned number)
{
	if (r->hash != hash || r->number != number)
		return false;
	return r->name == name || (!strncmp(r->name, name, len) && !r->name[len]);
}

/* Returns the slot of the row, or the free one where it belongs. */
static uint32_t *find_slot(const struct map *m, uint32_t hash, const char *name, size_t len, unsigned number)
{
	for (size_t i = hash;; i++) {
		uint32_t *slot = &m->slots[i & (m->n_slots - 1)];

		if (!*slot || is_row(&m->row[*slot - 1], hash, name, len, number))
			return slot;
	}
}

/* Doubles the rows and the slots. */
static void grow(struct map *m)
{
	struct arena *arena = m->arena ? m->arena : &program_arena;
	struct map_row *old = m->row;

	m->n_slots = m->n_slots ? 2 * m->n_slots : SLOTS_FIRST;
	m->row = arena_array(arena, struct map_row, m->n_slots / 2);
	if (m->n)
		memcpy(m->row, old, m->n * sizeof(*old));
	m->slots = arena_array(arena, uint32_t, m->n_slots);
	for (size_t i = 0; i < m->n; i++) {
		size_t at = m->row[i].hash & (m->n_slots - 1);

		while (m->slots[at])
			at = (at + 1) & (m->n_slots - 1);
		m->slots[at] = (uint32_t)i + 1;
	}
}

struct map_row *map_find(const struct map *m, const char *name, unsigned number)
{
	size_t len = strlen(name);
	uint32_t at = m->n ? *find_slot(m, hash_of(name, len, number), name, len, number) : 0;

	return at ? &m->row[at - 1] : NULL;
}

struct map_row *map_add_n(struct map *m, const char *name, size_t len, unsigned number)
{
	uint32_t hash = hash_of(name, len, number), *slot;

	if (2 * m->n >= m->n_slots)
		grow(m);
	slot = find_slot(m, hash, name, len, number);
	if (!*slot) {
		m->row[m->n++] = (struct map_row){ .name = name, .number = number, .hash = hash };
		*slot = (uint32_t)m->n;
	}
	return &m->row[*slot - 1];
}

struct map_row *map_add(struct map *m, const char *name, unsigned number)
{
	return map_add_n(m, name, strlen(name), number);
}

void map_clear(struct map *m)
{
	m->n = 0;
	if (m->slots)
		memset(m->slots, 0, m->n_slots * sizeof(*m->slots));
}

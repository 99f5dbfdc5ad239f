/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values by name. Rows stay in the order in which they were added, so that walking them is the same in every run.
 *
 * An empty map is all zeros. Its memory is the arena's. Names are compared as texts and are not copied. A number is a second key, 0
 * where the name is enough.
 */
#ifndef KTAP_LIB_MAP_H
#define KTAP_LIB_MAP_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct map_row {
	const char *name;
	unsigned number;
	uint32_t hash;
	void *value;       /* the caller's; NULL when the row is new */
};

struct map {
	struct map_row *row;
	size_t n;
	uint32_t *slots;   /* 1 + position of a row, 0: free */
	size_t n_slots;    /* a power of two, at least half of them free */
	struct arena *arena; /* NULL: program_arena */
};

/* Returns the row, or NULL. */
struct map_row *map_find(const struct map *m, const char *name, unsigned number);
/* Returns the row, which it adds when there is none: then it is the last. Valid until the next row is added. */
struct map_row *map_add(struct map *m, const char *name, unsigned number);
/* The same for a name of LEN bytes without a NUL; the caller sets the name of a new row to a text that ends with one. */
struct map_row *map_add_n(struct map *m, const char *name, size_t len, unsigned number);
/* Removes all rows. */
void map_clear(struct map *m);

#endif

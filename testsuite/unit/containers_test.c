/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/vec.h and lib/map.h: what was added stays, through every growth. */
#include <stdbool.h>
#include <stdlib.h>

#include "lib/map.h"
#include "lib/vec.h"
#include "testsuite/unit/tap.h"

enum { NAMES = 3000 };

/* Fills ITEMS, in which N are in use, up to END. */
static int *fill(int *items, size_t n, size_t end)
{
	for (size_t i = n; i < end; i++)
		*vec_add(items, n) = (int)i * 3;
	return items;
}

static bool is_filled(const int *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (items[i] != (int)i * 3)
			return false;
	return true;
}

static void test_vec(void)
{
	for (size_t n = 0; n <= 70; n++) {
		int *items = fill(NULL, 0, n);

		ok(is_filled(items, n), "%zu elements", n);
		items = fill(items, n / 2, 2 * n + 1);
		ok(is_filled(items, 2 * n + 1), "filled again from %zu", n / 2);
		free(items);
	}
}

static const char *name_of(int i)
{
	return arena_printf(&program_arena, "name%d", i / 2);
}

/* Two numbers a name. */
static bool has_all(struct map *m)
{
	for (int i = 0; i < NAMES; i++) {
		const struct map_row *r = map_find(m, name_of(i), (unsigned)i % 2);

		if (!r || r != &m->row[i] || *(int *)r->value != i)
			return false;
	}
	return true;
}

static void add_all(struct map *m)
{
	for (int i = 0; i < NAMES; i++) {
		int *value = arena_new(&program_arena, int);

		*value = i;
		map_add(m, name_of(i), (unsigned)i % 2)->value = value;
	}
}

static void test_map(void)
{
	struct map m = { 0 };

	ok(!map_find(&m, "name1", 0), "an empty map has no row");
	add_all(&m);
	ok(has_all(&m), "rows are found, and lie in the order of adding");
	add_all(&m);
	is_int((long long)m.n, NAMES, "a name that is there is not added again");
	ok(!map_find(&m, "name1", 2) && !map_find(&m, "name", 0), "another number or a part of a name is no row");
	is_int(map_add_n(&m, "name10tail", 6, 0) - m.row, 20, "a name by its length");
	map_clear(&m);
	ok(!m.n && !map_find(&m, "name1", 0), "a cleared map has no row");
	add_all(&m);
	ok(has_all(&m), "it can be filled again");
}

static void test_names(void)
{
	const char *first = intern("name1"), *empty = intern("");

	for (int i = 0; i < NAMES; i++)
		intern(name_of(i));
	ok(intern("name1") == first && intern_n("name12", 5) == first, "equal names are equal pointers");
	ok(intern("") == empty && !*empty, "the empty name is one");
}

int main(void)
{
	test_vec();
	test_map();
	test_names();
	return tap_done();
}

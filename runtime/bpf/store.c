/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/bpf/kernel.h"
#include "runtime/core/map.h"

enum { SLOTS = 1024 };

bool store_init(struct store *s, const struct image_file *im, int *fds, kt_u32 n_cpus)
{
	const struct image_array *arrays = image_part(im, IMAGE_ARRAYS);
	const struct image_map *maps = image_part(im, IMAGE_MAPS);
	size_t state = image_count(im, IMAGE_STATE), constants = image_count(im, IMAGE_CONSTANTS);

	*s = (struct store){ .image = im, .fds = fds, .n_cpus = n_cpus };
	s->state_size = state + (size_t)n_cpus * im->settings->cpu_size;
	if (fds[MAP_STATE] >= 0) {
		s->state = mmap(NULL, s->state_size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[MAP_STATE], 0);
		s->state = s->state == MAP_FAILED ? NULL : s->state;
	} else {
		s->state = calloc(1, s->state_size + 1);
	}
	s->constants = malloc(constants + 1);
	s->frame = calloc(1, im->settings->frame_size + 1ul);
	s->arrays = calloc(image_count(im, IMAGE_ARRAYS) + 1ul, sizeof(*s->arrays));
	if (!s->state || !s->constants || !s->frame || !s->arrays)
		return false;
	memcpy(s->state, image_part(im, IMAGE_STATE), state);
	memcpy(s->constants, image_part(im, IMAGE_CONSTANTS), constants);
	for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++) {
		struct store_array *a = &s->arrays[i];

		*a = (struct store_array){ .of = &arrays[i], .map = &maps[arrays[i].map], .fd = fds[arrays[i].map], .n_slots = SLOTS };
		a->slots = calloc(SLOTS, sizeof(*a->slots));
		if (!a->slots)
			return false;
	}
	return true;
}

static void empty(struct store_array *a)
{
	for (kt_u32 i = 0; i < a->n_slots; i++)
		while (a->slots[i]) {
			struct element *e = a->slots[i];

			a->slots[i] = e->next;
			free(e);
		}
	a->n = 0;
}

void store_free(struct store *s)
{
	store_leave_all(s);
	for (kt_u32 i = 0; s->arrays && i < image_count(s->image, IMAGE_ARRAYS); i++)
		if (s->arrays[i].slots) {
			empty(&s->arrays[i]);
			free(s->arrays[i].slots);
		}
	free(s->arrays);
	free(s->frame);
	free(s->constants);
	if (s->state && s->fds[MAP_STATE] >= 0)
		munmap(s->state, s->state_size);
	else
		free(s->state);
}

/* ---- elements ---- */
static kt_u32 hash_of(const void *key, kt_u32 size)
{
	const unsigned char *p = key;
	kt_u32 h = 2166136261u;

	for (kt_u32 i = 0; i < size; i++)
		h = (h ^ p[i]) * 16777619u;
	return h;
}

/* Returns where the pointer to the element with KEY is, or where it would be. */
static struct element **find(struct store_array *a, const void *key, kt_u32 hash)
{
	struct element **at = &a->slots[hash % a->n_slots];

	while (*at && ((*at)->hash != hash || memcmp((*at)->bytes, key, a->map->key_size)))
		at = &(*at)->next;
	return at;
}

bool store_get(struct store *s, kt_u32 array, const void *key, void *value)
{
	struct store_array *a = &s->arrays[array];
	struct element *e;

	memset(value, 0, a->map->value_size);
	if (a->fd >= 0)
		return !kernel_map_lookup(a->fd, key, value);
	e = *find(a, key, hash_of(key, a->map->key_size));
	if (e)
		memcpy(value, e->bytes + a->map->key_size, a->map->value_size);
	return e;
}

int store_put(struct store *s, kt_u32 array, const void *key, const void *value)
{
	struct store_array *a = &s->arrays[array];
	kt_u32 hash = hash_of(key, a->map->key_size);
	struct element **at;

	if (a->fd >= 0)
		return kernel_map_update(a->fd, key, value);
	at = find(a, key, hash);
	if (!*at) {
		if (a->n >= a->map->entries)
			return -E2BIG;
		*at = calloc(1, sizeof(**at) + a->map->key_size + a->map->value_size);
		if (!*at)
			return -ENOMEM;
		(*at)->hash = hash;
		memcpy((*at)->bytes, key, a->map->key_size);
		a->n++;
	}
	memcpy((*at)->bytes + a->map->key_size, value, a->map->value_size);
	return 0;
}

static void delete_all_of_kernel(struct store_array *a)
{
	char *key = calloc(1, a->map->key_size + 1ul);

	while (key && !kernel_map_next(a->fd, NULL, key))
		kernel_map_delete(a->fd, key);
	free(key);
}

void store_delete(struct store *s, kt_u32 array, const void *key)
{
	struct store_array *a = &s->arrays[array];
	struct element **at, *e;

	if (a->fd >= 0 && !key) {
		delete_all_of_kernel(a);
	} else if (a->fd >= 0) {
		kernel_map_delete(a->fd, key);
	} else if (!key) {
		empty(a);
	} else {
		at = find(a, key, hash_of(key, a->map->key_size));
		e = *at;
		if (e) {
			*at = e->next;
			free(e);
			a->n--;
		}
	}
}

/* ---- foreach ---- */
/* How the pairs of an array compare. */
struct order {
	const struct image_array *of;
	kt_u32 key_size;
	kt_s64 sort;
};

static int compare_numbers(const char *a, const char *b)
{
	kt_s64 x, y;

	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return (x > y) - (x < y);
}

static int compare(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	kt_s64 by = o->sort < 0 ? -o->sort : o->sort;
	kt_u32 at = by == 1 ? o->key_size : o->of->key_at[by - 2];
	bool string = by == 1 ? o->of->value == KT_VALUE_STRING : o->of->string_keys & 1u << (by - 2);
	int diff = string ? strcmp((const char *)a + at, (const char *)b + at) : compare_numbers((const char *)a + at, (const char *)b + at);

	return o->sort < 0 ? -diff : diff;
}

/* Copies the pairs of A into W. */
static int copy_pairs(struct store_array *a, struct walk *w)
{
	size_t size = w->key_size + w->value_size;
	kt_u32 room = a->fd >= 0 ? a->map->entries : a->n;
	char *last = NULL;

	w->pairs = calloc(room + 1ul, size);
	if (!w->pairs)
		return -ENOMEM;
	for (kt_u32 i = 0; a->fd < 0 && i < a->n_slots; i++)
		for (const struct element *e = a->slots[i]; e && w->n < room; e = e->next)
			memcpy(w->pairs + size * w->n++, e->bytes, size);
	while (a->fd >= 0 && w->n < room && !kernel_map_next(a->fd, last, w->pairs + size * w->n)) {
		last = w->pairs + size * w->n;
		/* It may have been deleted since. */
		if (!kernel_map_lookup(a->fd, last, last + w->key_size))
			w->n++;
	}
	return 0;
}

int store_walk(struct store *s, kt_u32 array, kt_s64 sort, kt_s64 limit)
{
	struct store_array *a = &s->arrays[array];
	struct order order = { a->of, a->map->key_size, sort };
	struct walk *w;
	int i = 0, err;

	while (i < WALKS_MAX && s->walks[i].pairs)
		i++;
	if (i == WALKS_MAX)
		return -EBUSY;
	w = &s->walks[i];
	*w = (struct walk){ .key_size = a->map->key_size, .value_size = a->map->value_size };
	err = copy_pairs(a, w);
	if (err)
		return err;
	if (sort)
		qsort_r(w->pairs, w->n, w->key_size + w->value_size, compare, &order);
	if (limit < (kt_s64)w->n)
		w->n = limit > 0 ? (kt_u32)limit : 0;
	return i;
}

bool store_step(struct store *s, kt_u64 walk, void *key, void *value)
{
	struct walk *w = walk < WALKS_MAX ? &s->walks[walk] : NULL;
	const char *pair;

	if (!w || !w->pairs || w->at >= w->n) {
		store_leave(s, walk);
		return false;
	}
	pair = w->pairs + (size_t)(w->key_size + w->value_size) * w->at++;
	memcpy(key, pair, w->key_size);
	memcpy(value, pair + w->key_size, w->value_size);
	return true;
}

void store_leave(struct store *s, kt_u64 walk)
{
	if (walk < WALKS_MAX) {
		free(s->walks[walk].pairs);
		s->walks[walk] = (struct walk){ .pairs = NULL };
	}
}

void store_leave_all(struct store *s)
{
	for (kt_u64 i = 0; i < WALKS_MAX; i++)
		store_leave(s, i);
}

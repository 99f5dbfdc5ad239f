/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/store.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/bpf/kernel.h"
#include "runtime/bpf/stats.h"

enum { SLOTS = 64 }; /* at first */

static bool init_array(struct store *s, kt_u32 i)
{
	const struct image_array *of = (const struct image_array *)image_part(s->image, IMAGE_ARRAYS) + i;
	const struct image_map *map = (const struct image_map *)image_part(s->image, IMAGE_MAPS) + of->map;
	struct store_array *a = &s->arrays[i];

	*a = (struct store_array){ .of = of, .map = map, .fd = of->counter ? -1 : s->fds[of->map], .n_slots = SLOTS, .copies = { -1, -1 } };
	for (kt_u32 half = 0; of->counter && half < 2; half++)
		a->copies[half] = s->fds[of->map + half];
	a->slots = calloc(SLOTS, sizeof(*a->slots));
	return a->slots;
}

/* Bytes of the largest value. */
static size_t largest_value(const struct image_file *im)
{
	const struct image_array *arrays = image_part(im, IMAGE_ARRAYS);
	const struct image_stat *stats = image_part(im, IMAGE_STATS);
	size_t size = 8;

	for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++)
		size = arrays[i].value_size > size ? arrays[i].value_size : size;
	for (kt_u32 i = 0; i < image_count(im, IMAGE_STATS); i++)
		size = stats[i].type.words * 8ul > size ? stats[i].type.words * 8ul : size;
	return size;
}

bool store_init(struct store *s, const struct image_file *im, int *fds, kt_u32 n_cpus)
{
	const struct image_stat *stats = image_part(im, IMAGE_STATS);
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
	s->frame = calloc(1, im->settings->cold_frame_size + 1ul);
	s->arrays = calloc(image_count(im, IMAGE_ARRAYS) + 1ul, sizeof(*s->arrays));
	s->value = calloc(1, largest_value(im));
	if (!s->state || !s->constants || !s->frame || !s->arrays || !s->value)
		return false;
	memcpy(s->state, image_part(im, IMAGE_STATE), state);
	memcpy(s->constants, image_part(im, IMAGE_CONSTANTS), constants);
	for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++)
		if (!init_array(s, i))
			return false;
	for (kt_u32 i = 0; i < image_count(im, IMAGE_STATS); i++)
		if (stats[i].array != IMAGE_SCALAR)
			s->arrays[stats[i].array].stat = &stats[i].type;
	return stats_init(s);
}

/* Takes the element out that *AT points to. */
static void take_out(struct store_array *a, struct element **at)
{
	struct element *e = *at;

	*at = e->next;
	*(e->older ? &e->older->newer : &a->oldest) = e->newer;
	*(e->newer ? &e->newer->older : &a->newest) = e->older;
	a->n--;
	free(e);
}

static void empty(struct store_array *a)
{
	for (kt_u32 i = 0; i < a->n_slots; i++)
		while (a->slots[i])
			take_out(a, &a->slots[i]);
}

void store_free(struct store *s)
{
	store_leave_all(s);
	stats_free(s);
	for (kt_u32 i = 0; s->arrays && i < image_count(s->image, IMAGE_ARRAYS); i++)
		if (s->arrays[i].slots) {
			empty(&s->arrays[i]);
			free(s->arrays[i].slots);
		}
	free(s->arrays);
	free(s->value);
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

/* Doubles the slots. Without memory for them the lists get longer. */
static void grow(struct store_array *a)
{
	kt_u32 n = 2 * a->n_slots;
	struct element **slots = calloc(n, sizeof(*slots));

	if (!slots)
		return;
	for (struct element *e = a->oldest; e; e = e->newer) {
		e->next = slots[e->hash % n];
		slots[e->hash % n] = e;
	}
	free(a->slots);
	a->slots = slots;
	a->n_slots = n;
}

/* Is KEY in the slice? */
static bool matches(const struct store_array *a, const char *key, const char *slice, kt_u32 any)
{
	for (kt_u32 i = 0; any && i < a->of->n_keys; i++) {
		kt_u32 at = a->of->key_at[i], end = i + 1 < a->of->n_keys ? a->of->key_at[i + 1] : a->map->key_size;

		if (!(any & 1u << i) && memcmp(key + at, slice + at, end - at))
			return false;
	}
	return true;
}

void *store_ref(struct store_array *a, const void *key)
{
	kt_u32 hash = hash_of(key, a->map->key_size);
	struct element **at = find(a, key, hash), *e = *at;

	if (!e) {
		if (a->n >= a->n_slots) {
			grow(a);
			at = find(a, key, hash);
		}
		e = calloc(1, sizeof(*e) + a->map->key_size + a->map->value_size);
		if (!e)
			return NULL;
		e->hash = hash;
		memcpy(e->bytes, key, a->map->key_size);
		e->older = a->newest;
		*(a->newest ? &a->newest->newer : &a->oldest) = e;
		a->newest = *at = e;
		a->n++;
	}
	return e->bytes + a->map->key_size;
}

int store_put(struct store *s, kt_u32 array, const void *key, const void *value)
{
	struct store_array *a = &s->arrays[array];
	void *to;

	if (a->fd >= 0)
		return kernel_map_update(a->fd, key, value);
	if (a->n >= a->map->entries && !*find(a, key, hash_of(key, a->map->key_size))) {
		if (!a->of->wrap)
			return -E2BIG;
		take_out(a, find(a, a->oldest->bytes, a->oldest->hash));
	}
	to = store_ref(a, key);
	if (!to)
		return -ENOMEM;
	memcpy(to, value, a->map->value_size);
	return 0;
}

static void delete_all_of_kernel(struct store_array *a)
{
	char *key = calloc(1, a->map->key_size + 1ul);

	while (key && !kernel_map_next(a->fd, NULL, key))
		kernel_map_delete(a->fd, key);
	free(key);
}

static void delete_one(struct store *s, kt_u32 array, const void *key)
{
	struct store_array *a = &s->arrays[array];
	struct element **at;

	if (a->fd >= 0 && !key) {
		delete_all_of_kernel(a);
	} else if (a->fd >= 0) {
		kernel_map_delete(a->fd, key);
	} else if (!key) {
		empty(a);
	} else {
		at = find(a, key, hash_of(key, a->map->key_size));
		if (*at)
			take_out(a, at);
	}
}

/* ---- foreach ---- */
/* What a pair is sorted by. */
struct item {
	kt_s64 number;
	kt_u32 pair;
};

struct order {
	const char *texts; /* of the first pair; NULL: sorted by numbers */
	size_t size;       /* of a pair */
	bool down;
};

/* Equal ones stay in the order in which they were made. */
static int compare(const void *a, const void *b, void *order)
{
	const struct item *x = a, *y = b;
	const struct order *o = order;
	int diff = o->texts ? strcmp(o->texts + o->size * x->pair, o->texts + o->size * y->pair) : (x->number > y->number) - (x->number < y->number);

	if (diff)
		return o->down ? -diff : diff;
	return (x->pair > y->pair) - (x->pair < y->pair);
}

static kt_s64 number_at(const char *p)
{
	kt_s64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Where a walk over A puts its pairs. */
struct copying {
	struct store_array *a;
	struct walk *w;
	struct item *items;
	kt_u32 room;
	const struct store_loop *loop;
};

static void copy_pair(struct copying *c, const char *key, const char *value)
{
	struct walk *w = c->w;
	char *to = w->pairs + (size_t)(w->key_size + w->value_size) * w->n;
	kt_s64 by = c->loop->sort < 0 ? -c->loop->sort : c->loop->sort;
	struct item *item = &c->items[w->n];

	if (!matches(c->a, key, c->loop->key, c->loop->any))
		return;
	memcpy(to, key, w->key_size);
	memcpy(to + w->key_size, value, w->value_size);
	*item = (struct item){ .pair = w->n++ };
	if (by == 1 && c->a->stat)
		item->number = stat_value(c->a->stat, (const kt_s64 *)value, c->loop->op);
	else if (by)
		item->number = number_at(by == 1 ? value : key + c->a->of->key_at[by - 2]);
}

/* Copies the pairs of the array. */
static void copy_pairs(struct store *s, struct copying *c)
{
	struct store_array *a = c->a;
	char *key = a->fd >= 0 ? calloc(1, a->map->key_size + 1ul) : NULL;

	for (const struct element *e = a->fd < 0 ? a->oldest : NULL; e; e = e->newer) {
		memcpy(s->value, e->bytes + a->map->key_size, a->map->value_size); /* where it is aligned */
		copy_pair(c, e->bytes, s->value);
	}
	for (const char *last = NULL; key && c->w->n < c->room && !kernel_map_next(a->fd, last, key); last = key)
		/* It may have been deleted since. */
		if (!kernel_map_lookup(a->fd, key, s->value))
			copy_pair(c, key, s->value);
	free(key);
}

static void sort_pairs(const struct copying *c)
{
	const struct image_array *of = c->a->of;
	struct walk *w = c->w;
	kt_s64 sort = c->loop->sort, by = sort < 0 ? -sort : sort;
	bool text = by == 1 ? of->value == KT_VALUE_STRING : by > 1 && (of->string_keys & 1u << (by - 2));
	struct order order = { text ? w->pairs + (by == 1 ? w->key_size : of->key_at[by - 2]) : NULL, w->key_size + w->value_size, sort < 0 };

	if (by)
		qsort_r(c->items, w->n, sizeof(*c->items), compare, &order);
	for (kt_u32 i = 0; i < w->n; i++)
		w->order[i] = c->items[i].pair;
}

int store_walk(struct store *s, const struct store_loop *loop)
{
	struct store_array *a = &s->arrays[loop->array];
	struct copying c = { .a = a, .room = a->fd >= 0 ? a->map->entries : a->n, .loop = loop };
	struct walk *w;
	int i = 0;

	while (i < WALKS_MAX && s->walks[i].pairs)
		i++;
	if (i == WALKS_MAX)
		return -EBUSY;
	c.w = w = &s->walks[i];
	*w = (struct walk){ .key_size = a->map->key_size, .value_size = a->stat ? 8 : a->map->value_size };
	w->pairs = calloc(c.room + 1ul, w->key_size + w->value_size);
	w->order = calloc(c.room + 1ul, sizeof(*w->order));
	c.items = calloc(c.room + 1ul, sizeof(*c.items));
	if (!w->pairs || !w->order || !c.items) {
		free(c.items);
		store_leave(s, (kt_u64)i);
		return -ENOMEM;
	}
	copy_pairs(s, &c);
	sort_pairs(&c);
	free(c.items);
	if (loop->limit < (kt_s64)w->n)
		w->n = loop->limit > 0 ? (kt_u32)loop->limit : 0;
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
	pair = w->pairs + (size_t)(w->key_size + w->value_size) * w->order[w->at++];
	memcpy(key, pair, w->key_size);
	memcpy(value, pair + w->key_size, w->value_size);
	return true;
}

void store_leave(struct store *s, kt_u64 walk)
{
	if (walk < WALKS_MAX) {
		free(s->walks[walk].pairs);
		free(s->walks[walk].order);
		s->walks[walk] = (struct walk){ .pairs = NULL };
	}
}

void store_leave_all(struct store *s)
{
	for (kt_u64 i = 0; i < WALKS_MAX; i++)
		store_leave(s, i);
}

/* ---- slices ---- */
/* Deletes those of a slice, or asks for one. */
static bool take_slice(struct store *s, kt_u32 array, const void *key, kt_u32 any, bool deletes)
{
	int i = store_walk(s, &(struct store_loop){ .array = array, .limit = INT64_MAX, .any = any, .key = key });
	const struct walk *w = &s->walks[i < 0 ? 0 : i];
	bool has = i >= 0 && w->n;

	for (kt_u32 pair = 0; deletes && has && pair < w->n; pair++)
		delete_one(s, array, w->pairs + (size_t)(w->key_size + w->value_size) * pair);
	if (i >= 0)
		store_leave(s, (kt_u64)i);
	return has;
}

bool store_has(struct store *s, kt_u32 array, const void *key, kt_u32 any)
{
	return any ? take_slice(s, array, key, any, false) : store_get(s, array, key, s->value);
}

void store_delete(struct store *s, kt_u32 array, const void *key, kt_u32 any)
{
	if (any)
		take_slice(s, array, key, any, true);
	else
		delete_one(s, array, key);
}

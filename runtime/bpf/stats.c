/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates. Where handlers at hits only add to one, each CPU has two copies of it, and image_state.half says to which they add. The first
 * use in a cold handler turns that over, waits until no handler runs that may have begun before, merges what is then still into ktaprun's own
 * words, and empties it. So nothing that is read or emptied here changes meanwhile, and no value is lost or seen in part. A cold handler
 * adds to ktaprun's words.
 */
#include "runtime/bpf/stats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/bpf/kernel.h"

enum { WAIT_MS = 1000, PAUSE_US = 50 };

/* core/stat.c has functions for records and copies of the module's kind, which nobody calls here. */
__attribute__((weak)) void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload) { return NULL; }
__attribute__((weak)) void kt_commit(struct kt_ctx *c) {}
__attribute__((weak)) kt_u32 kt_n_cpus(void) { return 0; }
__attribute__((weak)) void *kt_cpu_area(kt_u32 cpu) { return NULL; }

static struct image_state *state_of(const struct store *s)
{
	return (struct image_state *)s->state;
}

bool stats_init(struct store *s)
{
	const struct image_settings *set = s->image->settings;
	size_t values = 0;

	if (s->fds[MAP_FRAMES] < 0)
		return true;
	s->copies.frames_size = s->n_cpus * (FRAMES_HEAD + FRAMES_OF_CPU * (size_t)set->frame_size);
	s->copies.frames = mmap(NULL, s->copies.frames_size, PROT_READ, MAP_SHARED, s->fds[MAP_FRAMES], 0);
	if (s->copies.frames == MAP_FAILED) {
		s->copies.frames = NULL;
		return false;
	}
	for (kt_u32 i = 0; i < image_count(s->image, IMAGE_ARRAYS); i++)
		if (s->arrays[i].copies[0] >= 0 && s->arrays[i].map->value_size > values)
			values = s->arrays[i].map->value_size;
	s->copies.values = malloc(values * s->n_cpus + 1);
	s->copies.running = calloc(s->n_cpus, 1);
	return s->copies.values && s->copies.running;
}

void stats_free(struct store *s)
{
	if (s->copies.frames)
		munmap((void *)(unsigned long)s->copies.frames, s->copies.frames_size);
	free(s->copies.values);
	free(s->copies.running);
}

void stats_begin(struct store *s)
{
	s->copies.moved = false;
}

/* ---- handlers at hits ---- */
static kt_u8 frames_taken(const struct store *s, kt_u32 cpu)
{
	size_t stride = FRAMES_HEAD + FRAMES_OF_CPU * (size_t)s->image->settings->frame_size;

	return (kt_u8)__atomic_load_n((const kt_u64 *)(s->copies.frames + cpu * stride), __ATOMIC_SEQ_CST);
}

static void note_running(struct store *s)
{
	for (kt_u32 cpu = 0; cpu < s->n_cpus; cpu++)
		s->copies.running[cpu] = frames_taken(s, cpu);
}

/* Waits for the handlers that were noted. False: one runs for too long, in a page that is being read for example. */
static bool wait_for_running(struct store *s)
{
	const struct timespec pause = { .tv_nsec = PAUSE_US * 1000 };

	for (int i = 0; i < WAIT_MS * 1000 / PAUSE_US; i++) {
		bool runs = false;

		for (kt_u32 cpu = 0; cpu < s->n_cpus; cpu++)
			runs |= s->copies.running[cpu] &= frames_taken(s, cpu);
		if (!runs)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

void stats_wait(struct store *s)
{
	kt_u8 *left = s->copies.running;

	if (!s->copies.frames || s->copies.left) /* those that were noted are still to be waited for */
		return;
	note_running(s);
	wait_for_running(s);
	memset(left, 0, s->n_cpus);
}

/* ---- copies ---- */
/* Merges the words of a copy at FROM into TO. */
static void merge(kt_s64 *to, kt_s64 *from, const struct kt_stat_type *t)
{
	for (int min = 0; min <= 1; min++) {
		kt_u32 field = min ? KT_STAT_MIN : KT_STAT_MAX, at = KT_STAT_HIST_AT(t->fields & (field - 1));

		if (t->fields & field)
			from[at] = image_copy_of(from[at], min);
	}
	kt_stat_merge(to, from, t);
}

static void move_scalar(struct store *s, const struct image_stat *st, kt_u32 half)
{
	const struct image_settings *set = s->image->settings;

	for (kt_u32 cpu = 0; cpu < s->n_cpus; cpu++) {
		kt_s64 *from = (kt_s64 *)(s->state + st->copies + (size_t)cpu * set->cpu_size + half * set->half_size);

		merge((kt_s64 *)(s->state + st->at), from, &st->type);
		memset(from, 0, st->type.words * sizeof(*from));
	}
}

static bool move_array(struct store *s, struct store_array *a, kt_u32 half)
{
	int fd = a->copies[half];
	char *key = calloc(1, a->map->key_size);
	bool good = key;

	while (good && !kernel_map_next(fd, NULL, key)) {
		kt_s64 *to = store_ref(a, key);

		good = to && !kernel_map_lookup(fd, key, s->copies.values);
		if (!good)
			break;
		memcpy(s->value, to, a->map->value_size);
		for (kt_u32 cpu = 0; cpu < s->n_cpus; cpu++)
			merge((kt_s64 *)s->value, (kt_s64 *)(s->copies.values + (size_t)cpu * a->map->value_size), a->stat);
		memcpy(to, s->value, a->map->value_size);
		good = !kernel_map_delete(fd, key);
	}
	free(key);
	return good;
}

static void move_half(struct store *s, kt_u32 half)
{
	const struct image_stat *stats = image_part(s->image, IMAGE_STATS);

	for (kt_u32 i = 0; i < image_count(s->image, IMAGE_STATS); i++)
		if (stats[i].array == IMAGE_SCALAR && stats[i].copies)
			move_scalar(s, &stats[i], half);
	for (kt_u32 i = 0; i < image_count(s->image, IMAGE_ARRAYS); i++)
		if (s->arrays[i].copies[half] >= 0)
			move_array(s, &s->arrays[i], half);
	s->copies.left = false;
}

/* Moves all that is in copies here, once for a handler. */
static void move_copies(struct store *s)
{
	struct image_state *state = state_of(s);
	kt_u32 half = state->half;

	if (!s->copies.frames || s->copies.moved)
		return;
	s->copies.moved = true;
	if (s->copies.left && !wait_for_running(s))
		return; /* what handlers add meanwhile is moved later */
	if (s->copies.left)
		move_half(s, !half);
	__atomic_store_n(&state->half, !half, __ATOMIC_SEQ_CST);
	note_running(s);
	s->copies.left = true;
	if (wait_for_running(s))
		move_half(s, half);
}

/* ---- errors ---- */
static void raise_error(struct store *s, enum image_error error, kt_s64 detail, const char *message)
{
	struct image_frame *frame = (struct image_frame *)s->frame;

	frame->error = error;
	frame->detail = detail;
	snprintf((char *)(frame + 1), s->image->settings->string_max, "%s", message ? message : "");
}

/* What a function of the core raised. */
static bool raised(struct store *s, const struct kt_ctx *c)
{
	if (c->error)
		raise_error(s, IMAGE_ERROR_TEXT, 0, c->error);
	return c->error;
}

bool stats_array(struct store *s, kt_u32 array)
{
	struct store_array *a = &s->arrays[array];

	if (!a->of->counter)
		return true;
	move_copies(s);
	/* Both halves and what is here may hold as many each. */
	if (a->n <= a->map->entries)
		return true;
	raise_error(s, IMAGE_ERROR_FULL, array, NULL);
	return false;
}

/* ---- words ---- */
/* The words of the aggregate, which s->value holds if it is an element; NULL: there is none, or an error is raised. */
static kt_s64 *words_of(struct store *s, const struct image_stat *st, const void *key)
{
	if (st->array == IMAGE_SCALAR) {
		if (st->copies)
			move_copies(s);
		return (kt_s64 *)(s->state + st->at);
	}
	if (!stats_array(s, st->array) || !store_get(s, st->array, key, s->value))
		return NULL;
	return (kt_s64 *)s->value;
}

static bool has_failed(const struct store *s)
{
	return ((const struct image_frame *)s->frame)->error != IMAGE_NO_ERROR;
}

static const struct image_stat *stat_at(const struct store *s, kt_u32 stat)
{
	return (const struct image_stat *)image_part(s->image, IMAGE_STATS) + stat;
}

void stats_add(struct store *s, kt_u32 stat, const void *key, kt_s64 value)
{
	const struct image_stat *st = stat_at(s, stat);
	int err;

	if (st->array == IMAGE_SCALAR) {
		kt_stat_add((kt_s64 *)(s->state + st->at), &st->type, value);
		return;
	}
	store_get(s, st->array, key, s->value);
	kt_stat_add((kt_s64 *)s->value, &st->type, value);
	err = store_put(s, st->array, key, s->value);
	if (err == -E2BIG)
		raise_error(s, IMAGE_ERROR_FULL, st->array, NULL);
	else if (err)
		raise_error(s, IMAGE_ERROR_TEXT, 0, strerror(-err));
}

void stats_clear(struct store *s, kt_u32 stat)
{
	const struct image_stat *st = stat_at(s, stat);

	memset(words_of(s, st, NULL), 0, st->type.words * sizeof(kt_s64));
}

kt_s64 stats_get(struct store *s, kt_u32 stat, const void *key, enum kt_stat_op op, kt_s64 parameter)
{
	const struct image_stat *st = stat_at(s, stat);
	const kt_s64 *words = words_of(s, st, key);
	struct kt_ctx c;
	kt_s64 v;

	if (has_failed(s))
		return 0;
	c.error = NULL;
	v = kt_stat_get(&c, words, &st->type, op, parameter);
	return raised(s, &c) ? 0 : v;
}

kt_s64 stats_bucket(struct store *s, kt_u32 stat, const void *key, kt_s64 bucket)
{
	const struct image_stat *st = stat_at(s, stat);
	const kt_s64 *words = words_of(s, st, key);
	struct kt_ctx c;
	kt_s64 v;

	if (has_failed(s))
		return 0;
	c.error = NULL;
	v = kt_hist_bucket(&c, words, &st->type, bucket);
	return raised(s, &c) ? 0 : v;
}

bool stats_has_bucket(struct store *s, kt_u32 stat, const void *key, kt_s64 bucket)
{
	const struct image_stat *st = stat_at(s, stat);

	return kt_hist_has(words_of(s, st, key), &st->type, bucket);
}

bool stats_hist(struct store *s, kt_u32 stat, const void *key, char *to, kt_u32 size)
{
	const struct image_stat *st = stat_at(s, stat);
	const kt_s64 *words = words_of(s, st, key);
	struct kt_ctx c;

	if (has_failed(s))
		return false;
	c.error = NULL;
	kt_hist_sprint(&c, to, size, words, &st->type);
	return !raised(s, &c);
}

kt_s64 stat_value(const struct kt_stat_type *t, const kt_s64 *words, enum kt_stat_op op)
{
	struct kt_ctx c;

	c.error = NULL;
	return *words ? kt_stat_get(&c, words, t, op, 0) : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bump allocation and interned names. Blocks are chained; names sit in an open-addressing table. */
#include "lib/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/limits.h"
#include "lib/map.h"

struct arena_block {
	struct arena_block *prev;
	size_t used, size;
	max_align_t data[];
};

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* small inputs; and the sanitizer sees where a block ends */
enum { BLOCK_SIZE = 2 * 1024 };
#else
enum { BLOCK_SIZE = 64 * 1024 };
#endif

struct arena program_arena;

static void out_of_memory(void)
{
	fprintf(stderr, "ktap: error: out of memory%s\n", limits_has(RLIMIT_AS) ? " (limited by ulimit -v)" :
		limits_has(RLIMIT_DATA) ? " (limited by ulimit -d)" : "");
	_exit(1); /* no flush: a thread may hold the lock of an output */
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

char *xasprintf(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory();
	return s;
}

void cleanup_free(void *p)
{
	free(*(void **)p);
}

void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void cleanup_fclose(void *fp)
{
	FILE *f = *(FILE **)fp;

	if (f)
		fclose(f);
}

void arena_deinit(struct arena *a)
{
	while (a->last) {
		struct arena_block *prev = a->last->prev;

		free(a->last);
		a->last = prev;
	}
	*a = (struct arena){ 0 };
}

void arena_bound(struct arena *a, size_t limit, void (*full)(void *of), void *of)
{
	a->limit = limit;
	a->full = full;
	a->of = of;
}

static void count_block(struct arena *a, size_t size)
{
	a->used += size;
	if (a->limit && a->used > a->limit) {
		a->limit = 0;
		a->full(a->of);
	}
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->last;
	void *p;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	if (!b || b->size - b->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		count_block(a, room);
		b = calloc(1, sizeof(*b) + room);
		if (!b)
			out_of_memory();
		b->size = room;
		b->prev = a->last;
		a->last = b;
	}
	p = (char *)b->data + b->used;
	b->used += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	return memcpy(arena_alloc(a, len + 1), s, len);
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *s;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	s = arena_alloc(a, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

/* ---- names ---- */
static const char *intern_in(struct arena *a, const char *s, size_t len)
{
	struct map_row *row;

	if (!a->names) {
		a->names = arena_new(a, struct map);
		a->names->arena = a;
	}
	row = map_add_n(a->names, s, len, 0);
	if (!row->value)
		row->name = row->value = arena_strndup(a, s, len);
	return row->name;
}

const char *intern_n(const char *s, size_t len)
{
	return intern_in(&program_arena, s, len);
}

const char *intern(const char *s)
{
	return intern_in(&program_arena, s, strlen(s));
}

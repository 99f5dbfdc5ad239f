/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bump allocation for everything whose life is the program's, and interned names.
 *
 * Nothing taken from an arena is freed by itself: arena_deinit() frees all of it. Memory is zeroed.
 * Running out of memory ends the process with a message: no caller checks.
 */
#ifndef KTAP_LIB_ARENA_H
#define KTAP_LIB_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct map;

struct arena {
	struct arena_block *last; /* the block that is being filled */
	size_t used;              /* by all blocks */
	size_t limit;             /* see arena_bound() */
	void (*full)(void *of);
	void *of;
	struct map *names;        /* see intern(); NULL: none yet */
};

/* Frees all memory of A, which is empty then and has no bound. */
void arena_deinit(struct arena *a);

/* A stays below LIMIT bytes, when it is not 0: the allocation that would pass the limit first removes it and calls FULL, which does not
 * return. */
void arena_bound(struct arena *a, size_t limit, void (*full)(void *of), void *of);

/* SIZE zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

/* The one copy of a name in program_arena: equal names are equal pointers. */
const char *intern(const char *s);
const char *intern_n(const char *s, size_t len);

/* The arena of the whole program: syntax tree, types, probes, texts. */
extern struct arena program_arena;

/* malloc and friends that never return NULL, for what must be freed or grown. */
void *xmalloc(size_t size) __attribute__((returns_nonnull));
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Free, close, fclose when a local variable goes out of scope. */
void cleanup_free(void *p);
void cleanup_close(int *fd);
void cleanup_fclose(void *fp);
#define _cleanup_free_ __attribute__((cleanup(cleanup_free)))
#define _cleanup_close_ __attribute__((cleanup(cleanup_close)))
#define _cleanup_fclose_ __attribute__((cleanup(cleanup_fclose)))

#endif

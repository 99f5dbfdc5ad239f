/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one element: a pointer, NULL at first, and the number of elements in use, of any integer type.
 *
 * The capacity is not stored. It is VEC_FIRST elements, or the power of two from the number in use on. An array that shrinks keeps
 * what it has and may be filled again. free() frees it.
 */
#ifndef KTAP_LIB_VEC_H
#define KTAP_LIB_VEC_H

#include "lib/arena.h"

enum { VEC_FIRST = 8 };

/* Returns ITEMS, N of SIZE bytes in use, with space for one more. */
static inline void *vec_room(void *items, size_t n, size_t size)
{
	if (n && (n < VEC_FIRST || n & (n - 1)))
		return items;
	return xrealloc(items, (n ? 2 * n : VEC_FIRST) * size);
}

/* Adds an element, not yet initialized, and returns its address. Evaluates its arguments more than once. The value that is assigned
 * to the element may not depend on ITEMS or N. */
#define vec_add(items, n) ((items) = vec_room((items), (size_t)(n), sizeof(*(items))), &(items)[(n)++])

#endif

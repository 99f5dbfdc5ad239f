/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorted arrays: the usual orders of rows, and the search for a place among them. */
#ifndef KTAP_LIB_ROWS_H
#define KTAP_LIB_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Compares numbers as a comparison function of qsort() does. */
static inline int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* For qsort() and bsearch(): the order of rows that begin with a uint64_t, or with a string. */
int by_number(const void *a, const void *b);
int by_string(const void *a, const void *b);

/* Sorts an array, which may be NULL if N is 0. */
static inline void rows_sort(void *rows, size_t n, size_t size, int (*compare)(const void *a, const void *b))
{
	if (n)
		qsort(rows, n, size, compare);
}
#define sort_rows(rows, n, compare) rows_sort((rows), (size_t)(n), sizeof(*(rows)), (compare))

/* Returns how many of N rows of SIZE bytes are less than KEY by COMPARE, which is the order of the rows. */
size_t rows_before(const void *key, const void *rows, size_t n, size_t size, int (*compare)(const void *row, const void *key));
/* Returns how many of N rows of SIZE bytes begin with a uint64_t of at most NUMBER, by which they are sorted. */
size_t rows_up_to(uint64_t number, const void *rows, size_t n, size_t size);

#endif

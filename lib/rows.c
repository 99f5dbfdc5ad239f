/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of rows, and binary searches. */
#include "lib/rows.h"

#include <string.h>

int by_number(const void *a, const void *b)
{
	return order_of(*(const uint64_t *)a, *(const uint64_t *)b);
}

int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t rows_before(const void *key, const void *rows, size_t n, size_t size, int (*compare)(const void *row, const void *key))
{
	size_t before = 0;

	while (n) {
		size_t half = n / 2;

		if (compare((const char *)rows + (before + half) * size, key) < 0) {
			before += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return before;
}

size_t rows_up_to(uint64_t number, const void *rows, size_t n, size_t size)
{
	uint64_t next = number + 1;

	return next ? rows_before(&next, rows, n, size, by_number) : n;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the evaluator: 64-bit arithmetic, strings, array elements, aggregates. */
#include "testsuite/oracle/oracle.h"

#include <limits.h>
#include <string.h>

size_t string_max = 512;

struct value of_number(long long n)
{
	return (struct value){ .number = n, .string = "" };
}

struct value of_string(const char *s, size_t len)
{
	len = strnlen(s, len);
	if (len > string_max - 1)
		len = string_max - 1;
	return (struct value){ .string = arena_strndup(&program_arena, s, len) };
}

struct value concat(const char *a, const char *b)
{
	const char *s = arena_printf(&program_arena, "%s%s", a, b);

	return of_string(s, strlen(s));
}

int compare_values(enum type type, struct value a, struct value b)
{
	if (type == TY_STRING)
		return strcmp(a.string, b.string);
	return a.number < b.number ? -1 : a.number > b.number;
}

/* Shift counts are taken modulo 64, so -1 is 63. */
static unsigned long long shift(enum op op, unsigned long long a, unsigned n)
{
	unsigned long long sign = op == OP_SHR || op == OP_SHR_ASSIGN ? -(a >> 63) : 0;

	if (op == OP_SHL || op == OP_SHL_ASSIGN)
		return a << n;
	return n ? a >> n | sign << (64 - n) : a;
}

bool binary(enum op op, long long a, long long b, long long *ret)
{
	unsigned long long x = (unsigned long long)a, y = (unsigned long long)b;

	switch ((int)op) {
	case OP_ADD: case OP_ADD_ASSIGN: *ret = (long long)(x + y); return true;
	case OP_SUB: case OP_SUB_ASSIGN: *ret = (long long)(x - y); return true;
	case OP_MUL: case OP_MUL_ASSIGN: *ret = (long long)(x * y); return true;
	case OP_AND: case OP_AND_ASSIGN: *ret = a & b; return true;
	case OP_OR: case OP_OR_ASSIGN: *ret = a | b; return true;
	case OP_XOR: case OP_XOR_ASSIGN: *ret = a ^ b; return true;
	case OP_SHL: case OP_SHL_ASSIGN:
	case OP_SHR: case OP_SHR_ASSIGN:
	case OP_USHR: case OP_USHR_ASSIGN:
		*ret = (long long)shift(op, x, (unsigned)(y % 64));
		return true;
	case OP_DIV: case OP_DIV_ASSIGN:
		*ret = b == -1 ? (long long)(0 - x) : b ? a / b : 0;
		return b != 0;
	case OP_MOD: case OP_MOD_ASSIGN:
		*ret = b && b != -1 ? a % b : 0;
		return b != 0;
	}
	bug("binary operator %s", op_info[op].lexeme);
}

/* ---- arrays: a list; a key is found by comparing ---- */

static bool same_keys(const struct symbol *s, const struct value *a, const struct value *b)
{
	for (int i = 0; i < s->arity; i++)
		if (compare_values(s->key_type[i], a[i], b[i]))
			return false;
	return true;
}

struct cell *element_find(struct binding *v, const struct value *keys)
{
	for (struct cell *e = v->elements; e; e = e->next)
		if (same_keys(v->sym, e->key, keys))
			return e;
	return NULL;
}

struct cell *element_make(struct binding *v, const struct value *keys)
{
	struct cell *e = element_find(v, keys), **last = &v->elements;

	if (e)
		return e;
	e = arena_new(&program_arena, struct cell);
	e->value = of_number(0);
	memcpy(e->key, keys, sizeof(e->key));
	while (*last)
		last = &(*last)->next;
	return *last = e;
}

void element_delete(struct binding *v, const struct cell *e)
{
	for (struct cell **at = &v->elements; *at; at = &(*at)->next) {
		if (*at == e) {
			*at = e->next;
			return;
		}
	}
}

/* ---- aggregates ---- */

void stat_add(struct stat *s, long long n)
{
	if (!s->count || n < s->min)
		s->min = n;
	if (!s->count || n > s->max)
		s->max = n;
	s->count++;
	s->sum += (unsigned long long)n;
	s->exact_sum += n;
	s->squares += (__int128)n * n;
}

/* Of a sample, rounded down. The generator adds values to such aggregates that keep the products in 128 bits. */
static long long variance(const struct stat *s)
{
	__int128 n = s->count;

	return n < 2 ? 0 : (long long)((n * s->squares - s->exact_sum * s->exact_sum) / (n * (n - 1)));
}

bool stat_get(const struct stat *s, enum op op, long long *ret)
{
	*ret = op == OP_COUNT ? s->count : (long long)s->sum;
	if (op == OP_COUNT || op == OP_SUM)
		return true;
	if (!s->count)
		return false;
	switch ((int)op) {
	case OP_MIN: *ret = s->min; return true;
	case OP_MAX: *ret = s->max; return true;
	case OP_AVG: *ret = (long long)s->sum / s->count; return true;
	case OP_VARIANCE: *ret = variance(s); return true;
	}
	bug("aggregate operator %s", op_info[op].lexeme);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enums with data: which number a variant has, or which ones it does not have. */
#include "translator/probe/variant.h"

#include <string.h>

#include "lib/arena.h"

enum { NUMBERS_MAX = 4096 };

bool variant_discriminant(const struct ctype *type, struct member *ret)
{
	return target_is_user(type->target) && (type->kind == CT_STRUCT || type->kind == CT_UNION) &&
	       ctype_member(type, "__variant", ret) && ret->variant;
}

/* Finds the variant NAME, and how many there are. */
static bool find(const struct ctype *discriminant, const char *name, bool *ret_other, int64_t *ret_number, int *ret_n)
{
	const char *each;
	bool found = false, other;
	int64_t number;

	for (*ret_n = 0; *ret_n < NUMBERS_MAX && (each = ctype_variant(discriminant, *ret_n, &other, &number)); ++*ret_n) {
		if (found || strcmp(each, name))
			continue;
		found = true;
		*ret_other = other;
		*ret_number = number;
	}
	return found;
}

/* The numbers of all N variants that have one. */
static void set_numbers(struct access_variant *v, int n)
{
	int64_t *numbers = arena_array(&program_arena, int64_t, (size_t)n), number;
	bool other;

	for (int i = 0; i < n && ctype_variant(v->type, i, &other, &number); i++)
		if (!other)
			numbers[v->n++] = number;
	v->numbers = numbers;
}

static void set_number(struct access_variant *v, int64_t number)
{
	int64_t *numbers = arena_new(&program_arena, int64_t);

	*numbers = number;
	v->numbers = numbers;
	v->n = 1;
}

struct access_variant *variant_of(const struct ctype *type, const char *name)
{
	struct access_variant *v = arena_new(&program_arena, struct access_variant);
	struct member discriminant;
	int64_t number = 0;
	int n;

	if (!variant_discriminant(type, &discriminant) || !find(discriminant.type, name, &v->other, &number, &n))
		return NULL;
	v->name = name;
	v->type = discriminant.type;
	v->offset = discriminant.offset;
	if (v->other)
		set_numbers(v, n);
	else
		set_number(v, number);
	return v;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/natives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/fn.h"

enum { LONG, STRING };

struct native {
	const char *name;
	void (*call)(void);
	int result;
};

struct natives {
	struct kt_ctx context;
	kt_u32 string_max;
	char token[]; /* of tokenize() */
};

static const struct native table[] = {
#define NATIVE(name, result) { #name, (void (*)(void))kt_fn_##name, result },
#include "runtime/bpf/natives.def"
#undef NATIVE
};

struct natives *natives_new(kt_u32 string_max)
{
	struct natives *n = calloc(1, sizeof(*n) + string_max);

	if (n)
		n->string_max = string_max;
	return n;
}

void natives_free(struct natives *n)
{
	free(n);
}

void natives_begin(struct natives *n)
{
	n->context = (struct kt_ctx){ .error_place = KT_NO_PLACE, .token_text = n->token };
	n->token[0] = 0;
}

const struct native *native_find(const char *name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

typedef kt_s64 number_fn(struct kt_ctx *, kt_u64, kt_u64, kt_u64, kt_u64);
typedef void string_fn(struct kt_ctx *, char *, kt_u32, kt_u64, kt_u64, kt_u64);

kt_u64 native_call(struct natives *n, const struct native *f, kt_u64 n_arguments, const kt_u64 *arguments, char *result, struct image_frame *frame)
{
	struct kt_ctx *c = &n->context;
	char *message = (char *)(frame + 1);
	kt_u64 a[4] = { 0 }, ret = 0;

	/* All that a function takes are whole words, and more of them than it takes do no harm in the calling conventions of these machines. */
	memcpy(a, arguments, (n_arguments < 4 ? n_arguments : 4) * sizeof(*a));
	c->error = NULL;
	if (f->result == STRING)
		((string_fn *)f->call)(c, result, n->string_max, a[0], a[1], a[2]);
	else
		ret = (kt_u64)((number_fn *)f->call)(c, a[0], a[1], a[2], a[3]);
	if (c->error) {
		snprintf(message, n->string_max, "%s", c->error);
		frame->error = IMAGE_ERROR_TEXT;
	}
	return ret;
}

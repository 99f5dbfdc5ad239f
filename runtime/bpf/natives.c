/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/natives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "runtime/core/regex.h"
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
	kt_u16 groups[2 * (IMAGE_GROUPS_MAX + 1)]; /* of the last =~, for matched() */
	char *subject; /* of it */
	char token[]; /* of tokenize(); the subject follows */
};

/* Where the strings that do not fit are counted, while a native runs in this thread. */
static _Thread_local kt_u64 *cuts;

void kt_string_cut(void)
{
	if (cuts)
		++*cuts;
}

static const struct native table[] = {
#define NATIVE(name, result) { #name, (void (*)(void))kt_fn_##name, result },
#include "runtime/bpf/natives.def"
#undef NATIVE
};

struct natives *natives_new(kt_u32 string_max)
{
	struct natives *n = calloc(1, sizeof(*n) + 2 * (size_t)string_max);

	if (n) {
		n->string_max = string_max;
		n->subject = n->token + string_max;
	}
	return n;
}

void natives_free(struct natives *n)
{
	free(n);
}

void natives_begin(struct natives *n, kt_u64 *count)
{
	n->context = (struct kt_ctx){ .error_place = KT_NO_PLACE, .token_text = n->token, .match_groups = -1, .match_text = n->subject,
				      .match_at = n->groups };
	n->token[0] = 0;
	cuts = count;
}

void natives_end(void)
{
	cuts = NULL;
}

const struct native *native_find(const char *name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

/* Gives an error of the function to FRAME. */
static void take_error(const struct natives *n, struct image_frame *frame)
{
	if (n->context.error) {
		snprintf((char *)(frame + 1), n->string_max, "%s", n->context.error);
		frame->error = IMAGE_ERROR_TEXT;
	}
}

typedef kt_s64 number_fn(struct kt_ctx *, kt_u64, kt_u64, kt_u64, kt_u64);
typedef void string_fn(struct kt_ctx *, char *, kt_u32, kt_u64, kt_u64, kt_u64);

kt_u64 native_call(struct natives *n, const struct native *f, kt_u64 n_arguments, const kt_u64 *arguments, char *result, struct image_frame *frame)
{
	struct kt_ctx *c = &n->context;
	kt_u64 a[4] = { 0 }, ret = 0;

	/* All that a function takes are whole words, and more of them than it takes do no harm in the calling conventions of these machines. */
	memcpy(a, arguments, (n_arguments < 4 ? n_arguments : 4) * sizeof(*a));
	c->error = NULL;
	if (f->result == STRING)
		((string_fn *)f->call)(c, result, n->string_max, a[0], a[1], a[2]);
	else
		ret = (kt_u64)((number_fn *)f->call)(c, a[0], a[1], a[2], a[3]);
	take_error(n, frame);
	return ret;
}

kt_u64 native_match(struct natives *n, const struct image_regex *r, const char *subject, struct image_frame *frame)
{
	const char *base = (const char *)r;
	struct kt_regex re = { .class_of = r->class_of, .next = (const kt_u16 *)(base + r->next), .accept = (const kt_u8 *)(base + r->accept),
			       .n_classes = r->n_classes, .start = r->start, .n_groups = r->n_groups,
			       .program = (const struct kt_regex_inst *)(base + r->program), .sets = (const kt_u8 *)(base + r->sets),
			       .n_insts = r->n_insts };
	kt_u16 *room;
	int ret;

	if (!r->n_insts)
		return (kt_u64)kt_regex_match(&re, subject);
	n->context.error = NULL;
	room = xmalloc(KT_REGEX_ROOM(re.n_insts, re.n_groups) * sizeof(*room));
	ret = kt_regex_groups(&n->context, &re, subject, n->string_max, room);
	free(room);
	take_error(n, frame);
	return (kt_u64)ret;
}

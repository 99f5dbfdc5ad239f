/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table has all functions that a kit has. Those that this process lacks are weak symbols without a definition. */
#include "runtime/bpf/natives.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/script.h"

struct native {
	const char *name;
	void (*call)(void);
	char result; /* 'L', 'S' or a blank */
};

#define FN(name, result) extern void kt_fn_##name(void) __attribute__((weak));
#include "runtime/fn-table.h"
#undef FN

static const struct native natives[] = {
#define FN(name, result) { #name, kt_fn_##name, result },
#include "runtime/fn-table.h"
#undef FN
};

static int compare_names(const void *name, const void *native)
{
	return strcmp(name, ((const struct native *)native)->name);
}

const struct native *native_find(const char *name)
{
	const struct native *f = bsearch(name, natives, sizeof(natives) / sizeof(natives[0]), sizeof(natives[0]), compare_names);

	return f && f->call ? f : NULL;
}

typedef kt_u64 number_fn(struct kt_ctx *, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64);
typedef void string_fn(struct kt_ctx *, char *, kt_u32, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64, kt_u64);

kt_u64 native_call(const struct native *f, kt_u64 n, const kt_u64 *arguments, char *result, kt_u32 size, struct image_frame *frame)
{
	struct kt_ctx c = { .error_place = KT_NO_PLACE };
	kt_u64 a[7] = { 0 }, ret = 0;

	/* All that a function has of them are whole words, and more of them than it takes do no harm in the calling conventions of these machines. */
	memcpy(a, arguments, (n < 7 ? n : 7) * sizeof(*a));
	if (f->result == 'S')
		((string_fn *)f->call)(&c, result, size, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
	else
		ret = ((number_fn *)f->call)(&c, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
	if (c.error) {
		strncpy((char *)(frame + 1), c.error, size - 1);
		((char *)(frame + 1))[size - 1] = 0;
		frame->error = IMAGE_ERROR_TEXT;
	}
	return ret;
}

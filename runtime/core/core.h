/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only headers that the files of the runtime's core may rely on: the contract headers and the four memory
 * functions that any C compiler may call on its own. The kernel, the process and the unit tests all supply them.
 */
#ifndef KT_CORE_CORE_H
#define KT_CORE_CORE_H

#include "../script.h"

void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *memmove(void *to, const void *from, __SIZE_TYPE__ n);
void *memset(void *to, int byte, __SIZE_TYPE__ n);
int memcmp(const void *a, const void *b, __SIZE_TYPE__ n);

#ifndef NULL
#define NULL ((void *)0)
#endif

static inline kt_u32 kt_min_u32(kt_u32 a, kt_u32 b) { return a < b ? a : b; }

/* Text produced piece by piece: into a string, a record, a file. Appends past the end are counted, not stored. */
struct kt_out {
	char *at;
	kt_u32 size; /* space at `at`, NUL included; may be 0 */
	kt_u32 len;  /* bytes wanted so far */
};

static inline void kt_out_char(struct kt_out *o, char ch)
{
	if (o->len + 1 < o->size)
		o->at[o->len] = ch;
	o->len++;
}

static inline void kt_out_fill(struct kt_out *o, char ch, kt_s64 n)
{
	kt_s64 room = (kt_s64)o->size - o->len - 1;

	if (n <= 0)
		return;
	if (room > 0)
		memset(o->at + o->len, ch, (__SIZE_TYPE__)(n < room ? n : room));
	o->len += n;
}

/* Terminates the text and returns the length that was wanted. */
static inline kt_u32 kt_out_end(struct kt_out *o)
{
	if (o->size)
		o->at[o->len < o->size ? o->len : o->size - 1] = 0;
	return o->len;
}

/* Terminates a string of the script, and counts it if it did not fit. */
static inline void kt_out_finish(struct kt_out *o)
{
	if (kt_likely(o->len < o->size)) {
		o->at[o->len] = 0;
	} else if (o->size) {
		o->at[o->size - 1] = 0;
		kt_string_cut();
	}
}

#endif

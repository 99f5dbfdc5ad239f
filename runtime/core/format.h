/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats of the printf family: how a directive is read, applied, and found in a record. One source for the
 * translator's checks, sprintf in handlers, and the loader.
 */
#ifndef KT_CORE_FORMAT_H
#define KT_CORE_FORMAT_H

#include "core.h"

enum { KT_ARGS_MAX = 96 }; /* 32 arguments, each with a `*` width and precision */

enum kt_format_flag {
	KT_FLAG_ZERO = 1,   /* 0 */
	KT_FLAG_PLUS = 2,   /* + */
	KT_FLAG_LEFT = 4,   /* - */
	KT_FLAG_ALT = 8,    /* # */
	KT_FLAG_SPACE = 16, /* space */
};

enum { KT_FROM_ARG = -2, KT_NOT_GIVEN = -1 };

/* One `%...` of a format. */
struct kt_directive {
	kt_u32 flags;
	kt_s32 width;     /* or KT_FROM_ARG (*), KT_NOT_GIVEN */
	kt_s32 precision; /* likewise */
	char conv;        /* one of b c s m M d i u o x X p %; 0: unknown or missing */
};

/* The argument that a conversion takes: 'L' a long, 'S' a string, 'M' bytes of memory (a string argument), 0
 * nothing (%%) or no such conversion. */
char kt_conv_type(char conv);

/* Reads the directive at FORMAT (which points at the `%`) and returns the first byte after it. */
const char *kt_directive(const char *format, struct kt_directive *ret);

/* Arguments of a KT_REC_PRINT record: DATA and SIZE are what follows the record's header. Fills RET (space for MAX),
 * strings point into DATA. The number of arguments, or -1 when the bytes do not fit the format: nothing outside DATA
 * is ever read. */
kt_s32 kt_format_record(const char *format, const void *data, kt_u32 size, struct kt_arg *ret, kt_u32 max);

/* One string from record bytes, for the kinds that have no format. Advances *AT; 0 when it is malformed. */
int kt_record_string(const void *data, kt_u32 size, kt_u32 *at, struct kt_arg *ret);

/* Bytes of memory that a %m or %M directive wants captured. */
static inline kt_s64 kt_dump_bytes(const struct kt_directive *d, kt_s64 precision)
{
	return precision < 0 ? 1 : precision;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads numbers out of bytes that may be anything: past the end come zeros, and `bad` is set. */
#ifndef KT_LOADER_READER_H
#define KT_LOADER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/abi.h"

struct reader {
	const unsigned char *at, *end;
	bool bad; /* something was read that is not there */
};

static inline kt_u64 read_fixed(struct reader *r, unsigned int size)
{
	kt_u64 v = 0;

	if ((size_t)(r->end - r->at) < size) {
		r->bad = true;
		r->at = r->end;
		return 0;
	}
	memcpy(&v, r->at, size); /* little endian, as are the machines that we know */
	r->at += size;
	return v;
}

static inline kt_u64 read_leb(struct reader *r, bool sign)
{
	unsigned int shift = 0;
	unsigned char byte;
	kt_u64 v = 0;

	do {
		byte = (unsigned char)read_fixed(r, 1);
		if (shift < 64)
			v |= (kt_u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	if (sign && byte & 0x40 && shift < 64)
		v |= ~0ull << shift;
	return v;
}

static inline kt_u64 read_uleb(struct reader *r)
{
	return read_leb(r, false);
}

static inline kt_s64 read_sleb(struct reader *r)
{
	return (kt_s64)read_leb(r, true);
}

/* A part of SIZE bytes; R goes on behind it. */
static inline struct reader read_part(struct reader *r, kt_u64 size)
{
	struct reader part = { r->at, r->at, false };

	if (size > (kt_u64)(r->end - r->at)) {
		r->bad = part.bad = true;
		size = (kt_u64)(r->end - r->at);
	}
	part.end = r->at += size;
	return part;
}

/* A string with its NUL; "" when there is none. */
static inline const char *read_string(struct reader *r)
{
	const char *s = (const char *)r->at;
	size_t room = (size_t)(r->end - r->at), len = strnlen(s, room);

	if (len == room) {
		r->bad = true;
		r->at = r->end;
		return "";
	}
	r->at += len + 1;
	return s;
}

#endif

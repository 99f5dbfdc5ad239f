/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads numbers out of bytes that may be anything: past the end come zeros, and `bad` is set. */
#ifndef KTAP_LIB_READER_H
#define KTAP_LIB_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a file, .at NULL: none. */
struct span {
	const unsigned char *at;
	size_t size;
};

/* The 32 bits at P. */
static inline uint32_t word_at(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

struct reader {
	const unsigned char *at, *end;
	bool bad; /* something was read that is not there */
};

static inline uint64_t read_fixed(struct reader *r, unsigned int size)
{
	uint64_t v = 0;

	if ((size_t)(r->end - r->at) < size) {
		r->bad = true;
		r->at = r->end;
		return 0;
	}
	memcpy(&v, r->at, size); /* little endian, as are the machines that we know */
	r->at += size;
	return v;
}

static inline uint64_t read_leb(struct reader *r, bool sign)
{
	unsigned int shift = 0;
	unsigned char byte;
	uint64_t v = 0;

	do {
		byte = (unsigned char)read_fixed(r, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	if (sign && byte & 0x40 && shift < 64)
		v |= ~0ull << shift;
	return v;
}

static inline uint64_t read_uleb(struct reader *r)
{
	return read_leb(r, false);
}

static inline int64_t read_sleb(struct reader *r)
{
	return (int64_t)read_leb(r, true);
}

/* A part of SIZE bytes; R goes on after it. */
static inline struct reader read_part(struct reader *r, uint64_t size)
{
	struct reader part = { r->at, r->at, false };

	if (size > (uint64_t)(r->end - r->at)) {
		r->bad = part.bad = true;
		size = (uint64_t)(r->end - r->at);
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

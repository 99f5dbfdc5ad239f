/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --timestamps: the times of records, as members of objects or before each line of text. */
#ifndef KTAP_OUTPUT_STAMP_H
#define KTAP_OUTPUT_STAMP_H

#include "runtime/output/json.h"

enum stamp_clock {
	STAMP_NONE,
	STAMP_WALL,  /* nanoseconds since 1970 */
	STAMP_MONO,  /* of CLOCK_MONOTONIC */
	STAMP_DELTA, /* since the stamp before */
};

struct stamp {
	enum stamp_clock clock;
	kt_u64 ahead;  /* nanoseconds by which the wall clock is ahead of CLOCK_MONOTONIC */
	kt_u64 last;   /* time of the stamp before; 0: there was none */
	bool midline;  /* the last text did not end its line */
};

void stamp_init(struct stamp *s, enum stamp_clock clock);
/* WORD is wall, mono, delta, or NULL for wall. False: it is another word. */
bool stamp_parse(const char *word, enum stamp_clock *ret);

/* TIME is that of the record, 0: now. Adds a member to an object. */
void stamp_member(struct stamp *s, kt_u64 time, struct json *to);
/* Appends TEXT with a stamp before each line that begins in it. */
void stamp_lines(struct stamp *s, kt_u64 time, const char *text, size_t len, struct json *to);

#endif

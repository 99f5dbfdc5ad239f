/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON text into a buffer: a function for each kind of value, and commas where they belong.
 *
 * ktaprun and the programs of --runtime=user need libc alone, so no library writes it for them. Numbers are integers of 64 bits,
 * written exactly. A byte of a string that is not UTF-8 becomes U+FFFD and its two hexadecimal
 * digits, and so do the three bytes of a U+FFFD, so that different strings stay different. Running out of memory ends the process.
 */
#ifndef KTAP_OUTPUT_JSON_H
#define KTAP_OUTPUT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/abi.h"

/* Starts as zeros. */
struct json {
	char *buf;
	size_t len, room;
};

void json_deinit(struct json *j);
static inline void json_clear(struct json *j) { j->len = 0; }

/* JSON text as it is. */
void json_raw(struct json *j, const char *text, size_t len);
void json_puts(struct json *j, const char *text);

/* A comma, unless nothing or an opening bracket is before it. */
void json_comma(struct json *j);
/* A comma where one belongs, then the name of a member. */
void json_key(struct json *j, const char *name);

/* Values. The second is for those whose 64 bits have no sign. */
void json_number(struct json *j, kt_s64 number);
void json_unsigned(struct json *j, kt_u64 number);
void json_string(struct json *j, const char *s, size_t len);
/* Turns the LEN bytes of S, a string of json_string() as a parser gave it, into the bytes that were written. Returns how many there are. */
size_t json_restore(char *s, size_t len);

/* Members. */
void json_member_number(struct json *j, const char *name, kt_s64 number);
void json_member_unsigned(struct json *j, const char *name, kt_u64 number);
void json_member_string(struct json *j, const char *name, const char *s);

#endif

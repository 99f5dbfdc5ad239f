/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions of `=~` and `!~`: text -> tables that core/regex.c walks.
 *
 * The language is that of ktap-language(5): POSIX extended expressions with (?: ), escapes as in strings, bytes as
 * characters; the search is not anchored. Three steps: parse into a program of kt_regex_inst (which serves groups),
 * group bytes into classes, build the deterministic automaton. An automaton that would become too large is an error.
 */
#ifndef KTAP_SEMA_REGEX_H
#define KTAP_SEMA_REGEX_H

#include <stdbool.h>
#include "lib/diag.h"
#include "lib/text.h"
#include "runtime/core/regex.h"

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	REGEX_INSTS_MAX = 1000,
	REGEX_STATES_MAX = 200,
#else
	REGEX_INSTS_MAX = 16000,  /* of a program */
	REGEX_STATES_MAX = 4000,
#endif
	REGEX_GROUP_INSTS_MAX = 600, /* where groups are asked for: they bound the working space of a handler */
	REGEX_GROUPS_MAX = 100,
};

/* A compiled expression. Arrays are the arena's. */
struct regex {
	struct kt_regex tables;
	kt_u32 n_states;
	kt_u32 n_sets;
};

/* Compiles the N bytes at PATTERN. GROUPS: the script calls matched(), so that the program is kept. False: reported at
 * LOC with the position in the pattern. */
bool regex_compile(struct loc loc, const char *pattern, size_t n, bool groups, struct regex *ret);

/* Writes the tables and `static const struct kt_regex re_NUMBER` as C. */
void regex_emit(struct text *t, int number, const struct regex *re);

/* Two-byte words of space that kt_regex_groups() needs for it. */
static inline kt_u32 regex_room(const struct regex *re)
{
	return KT_REGEX_ROOM(re->tables.n_insts, re->tables.n_groups);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Habits of other languages: what a script writes instead of the text at the place of an error. The table is habits.def. */
#ifndef KTAP_SYNTAX_HABITS_H
#define KTAP_SYNTAX_HABITS_H

#include "lib/diag.h"

/* Where a habit is recognized; see habits.def. */
enum habit_where {
	HABIT_HEADER, /* a definition or a probe point is expected */
	HABIT_SHAPE,  /* around an unexpected token */
	HABIT_MAP,    /* an unknown @name */
	HABIT_CALLED, /* an unknown @name(...) */
	HABIT_POINT,  /* a probe point that matches nothing */
	HABIT_LOCAL,  /* a local that is never assigned */
	HABIT_VALUE,  /* an operand of the wrong type */
	HABIT_FORMAT, /* a number that %s prints */
	HABIT_EMBEDDED, /* an error in embedded C */
	HABIT_FORMAT_USER, /* the same, and it was read from memory of a program */
};

/* Returns what to write instead of WORD; NULL: it is not a word of another language. */
const char *habit_word(const char *word);

/* Returns what to write instead of the text at LOC. NULL if no row matches, or the match ends before UNTIL (if it has a source). */
const char *habit_at(enum habit_where where, struct loc loc, struct loc until);

/* Adds a note of INSTEAD, which habit_word() or habit_at() returned. */
void habit_say(struct loc loc, const char *instead);

/* Adds a note that says what to write instead of the text at LOC. False: there was nothing to say. */
bool habit_note(enum habit_where where, struct loc loc);

/* Adds a note that the shell may have taken names, if no '$' is left in SCRIPT, the text of -e. */
void habit_note_shell(const char *script, struct loc loc);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of other languages, and what a script writes for them. */
#ifndef KTAP_SEMA_WORDS_H
#define KTAP_SEMA_WORDS_H

#include "translator/probe/probe.h"

/* Returns what to write for a word of another language or an operator without its @; NULL: not one. */
const char *word_instead(const char *name);

/* Returns how F is called: NAME and its parameters. */
const char *word_call(const char *name, const struct function *f);

/* A note that names the $variable of PR which S lacks only the dollar of, if there is one. */
bool word_note_variable(const struct probe *pr, const struct symbol *s);

/* A note that lists what a handler of PR can read in the place of S, if there is anything. */
bool word_note_variables(const struct probe *pr, const struct symbol *s);

/* Reports names that are read, never assigned, and that a script means as something else. After resolve_program(). */
bool words_check(struct program *p);

#endif

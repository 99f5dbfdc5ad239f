/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that a user types: with editing, history and completion where ktap was built with libedit and there is a terminal, else plain. */
#ifndef KTAP_CLI_PROMPT_PROMPT_H
#define KTAP_CLI_PROMPT_PROMPT_H

#include <stdbool.h>

#include "lib/text.h"

enum prompt_result { PROMPT_LINE, PROMPT_CANCELLED /* Ctrl-C */, PROMPT_END };

/* Writes to RET what the end of LINE may become: the typed word, then each word that may replace it, a line each. A tab and an
 * explanation may follow. */
typedef void prompt_complete_fn(void *of, const char *line, struct text *ret);

/* True if a person types: standard input and output are a terminal. */
bool prompt_open(prompt_complete_fn *complete, void *of);
/* Replaces RET by the next line, without its newline. PROMPT is shown on a terminal. */
enum prompt_result prompt_read(const char *prompt, struct text *ret);
/* After a program that ran on the terminal: sets its modes as they were, and goes to the beginning of a line. */
void prompt_restore(void);
void prompt_close(void);

/* The history: a file of the user's, mode 0600, with a line each. */
enum { HISTORY_MAX = 1000 };
/* Calls FN for each line of the history, the oldest first, and keeps the last HISTORY_MAX. */
void history_load(void (*fn)(const char *line));
void history_add(const char *line);

/* cli/prompt/editline.c, or cli/prompt/editline-none.c in its place. */
bool editline_open(prompt_complete_fn *complete, void *of);
enum prompt_result editline_read(const char *prompt, struct text *ret);
void editline_close(void);

#endif

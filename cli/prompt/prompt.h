/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that a user types: with editing, history and completion where ktap was built with libedit and there is a terminal, else plain. */
#ifndef KTAP_CLI_PROMPT_PROMPT_H
#define KTAP_CLI_PROMPT_PROMPT_H

#include <stdbool.h>
#include <termios.h>

#include "lib/text.h"

enum prompt_result { PROMPT_LINE, PROMPT_CANCELLED /* Ctrl-C */, PROMPT_END };

/* Writes to RET what the end of LINE may become: the typed word, then each word that may replace it, a line each. A tab and an
 * explanation may follow. */
typedef void prompt_complete_fn(void *of, const char *line, struct text *ret);

struct prompt {
	bool on_terminal;      /* a person types: standard input and output are a terminal */
	struct termios modes;  /* of the terminal, before the first line */
	struct editor *editor; /* NULL: lines are plain */
};

void prompt_open(struct prompt *p, prompt_complete_fn *complete, void *of);
/* Replaces RET by the next line, without its newline. TEXT is shown before it on a terminal. */
enum prompt_result prompt_read(const struct prompt *p, const char *text, struct text *ret);
/* After a program that ran on the terminal: sets its modes as they were, and goes to the beginning of a line. */
void prompt_restore(const struct prompt *p);
void prompt_close(struct prompt *p);

/* The history: a file of the user's, mode 0600, with a line each. */
enum { HISTORY_MAX = 1000 };
/* Calls FN for each line of the history, the oldest first, and keeps the last HISTORY_MAX. Returns the open file, or -1. */
int history_load(void (*fn)(const char *line, void *of), void *of);
/* Adds LINE to the file FD of history_load(). */
void history_add(int fd, const char *line);

/* cli/prompt/editline.c, or cli/prompt/editline-none.c in its place. */
/* NULL: the terminal cannot move its cursor, or libedit does not start. */
struct editor *editline_open(prompt_complete_fn *complete, void *of);
enum prompt_result editline_read(struct editor *e, const char *prompt, struct text *ret);
void editline_close(struct editor *e);

#endif

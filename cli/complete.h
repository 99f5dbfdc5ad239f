/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that the shells' completion is made of: each is where what it lists is decided. */
#ifndef KTAP_CLI_COMPLETE_H
#define KTAP_CLI_COMPLETE_H

#include <stddef.h>

/* The words of a line as a shell splits it, without expansions. A quote that is open stays so to the end. */
struct line_words {
	char **v;
	size_t n; /* at least 1: the last one ends with the line, and may be "" */
};
void line_words_split(struct line_words *w, const char *line);
void line_words_deinit(struct line_words *w);

/* Takes a word that may stand here, and what it means, or NULL. */
typedef void word_fn(const char *word, const char *help, void *data);

/* `ktap complete LINE`: prints the last word of LINE, up to the cursor, and a line for each word that it may become: the word, a
 * tab, what it means. completions/ has what shells call it with. Returns the exit status. */
int complete_run(int argc, char **argv);

/* options.c: each option, with '=' when an argument follows in the same word. */
void option_words(word_fn *fn, void *data);
/* What the option WORD ("-l", "--vm", "-gvl") takes, as --help has it: "kernel|user"; "[=X]": optional. NULL: nothing. */
const char *option_argument(const char *word);
/* defines.c: names for -D. */
void define_words(word_fn *fn, void *data);
/* commands.c, explain.c, help.c */
void command_words(word_fn *fn, void *data);
void explain_words(word_fn *fn, void *data);
void help_words(word_fn *fn, void *data);

#endif

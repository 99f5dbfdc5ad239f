/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion for a prompt. */
#ifndef KTAP_CLI_EDIT_SUGGEST_WORDS_H
#define KTAP_CLI_EDIT_SUGGEST_WORDS_H

#include <stdio.h>

struct program;

/* Writes the word at the end of TEXT, and each word that may take its place, a line each. SETTINGS: options of the script. */
void suggest_words(const struct program *settings, const char *text, FILE *out);

#endif

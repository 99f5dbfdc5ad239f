/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that differ only in data share a C function: share.c. */
#ifndef KTAP_GEN_SHARE_H
#define KTAP_GEN_SHARE_H

#include "lib/map.h"
#include "lib/text.h"

/* The marks of a region, which do not occur in C: OPEN, C, NEXT, a word of data, NEXT, C with WORD in place of the word, CLOSE. */
#define SHARE_OPEN "\1"
#define SHARE_NEXT "\2"
#define SHARE_CLOSE "\3"
#define SHARE_WORD "\4"

/* All handlers of a program; empty: all zeros. */
struct share {
	struct map skeletons, variants;
	struct text words;
	int n_words;
};

struct handler_variant;

/* Adds the body of a handler, which begins with its brace. TITLE names its probe in a comment. Returns what stands for it. */
struct handler_variant *share_add(struct share *s, const char *text, const char *title);
/* Writes the functions and their table of words. N_LOCATORS: the number of functions that words may name. */
void share_write(struct share *s, size_t n_locators, struct text *out);
/* After that: the number of its function, p_N, and where its words begin. */
int share_function(const struct handler_variant *v);
int share_words(const struct handler_variant *v);

#endif

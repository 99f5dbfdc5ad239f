/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long strings are at most. */
#ifndef KTAP_SEMA_TEXTS_H
#define KTAP_SEMA_TEXTS_H

#include "runtime/core/format.h"
#include "translator/syntax/ast.h"

/* Adds to *LEN the most bytes that the directive D makes of a number, or of a string of STRING bytes. False: unknown. */
bool text_add_directive(const struct kt_directive *d, size_t string, size_t *len);
/* Finds how long the strings of functions and variables are at most. */
void texts_find_longest(struct program *p, int string_max);
/* Bytes that an array of SIZE elements reserves for each of its strings, on average; 0: it has no strings. */
int text_share(const struct symbol *s, int string_max, long long size);

#endif

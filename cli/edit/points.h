/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidates that complete a partial probe point. */
#ifndef KTAP_CLI_EDIT_POINTS_H
#define KTAP_CLI_EDIT_POINTS_H

#include "translator/syntax/ast.h"

/* Calls FN, in order of the text, with each text that begins with PARTIAL and is one component longer: `kernel.function("`. After the
 * quote of a function or tracepoint: names that the kernel has, once some letters are given. P has its options and libraries. */
void points_complete(struct program *p, const char *partial, void (*fn)(const char *text, void *data), void *data);

/* Lists POINT as -l does, or with its VARIABLES as -L, a line each. False: it does not parse, or matches nothing. */
bool points_list(struct program *p, const char *point, bool variables, struct text *ret);

#endif

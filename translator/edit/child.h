/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that are made in a process of their own: whatever a script makes the compiler do, the asking process stays, and what an answer
 * allocates ends with the child. */
#ifndef KTAP_EDIT_CHILD_H
#define KTAP_EDIT_CHILD_H

#include <stdbool.h>
#include <stdio.h>

struct text;

typedef void child_fn(void *of, FILE *out);

/* Runs FN(OF, OUT) in a child and appends to RET what it writes to OUT. QUIET: its other output is discarded. False: the child crashed,
 * used too much memory, or took too long; RET then has a part. */
bool child_ask(child_fn *fn, void *of, bool quiet, struct text *ret);

#endif

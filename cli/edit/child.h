/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that are made in a process of their own: whatever a script makes the compiler do, the asking process stays, and what an answer
 * allocates ends with the child. */
#ifndef KTAP_CLI_EDIT_CHILD_H
#define KTAP_CLI_EDIT_CHILD_H

#include <stdbool.h>
#include <stdio.h>

struct text;

typedef void child_fn(void *of, FILE *out);

/* Runs FN(OF, OUT) in a child and appends to RET what it writes to OUT. QUIET: its other output is discarded. MS: how long it may write
 * nothing, or CHILD_FOREVER. False: the child crashed, used too much memory, or took too long; RET then has a part. */
enum { CHILD_FOREVER = -1, CHILD_ANSWER_MS = 20000 };
bool child_ask(child_fn *fn, void *of, bool quiet, int ms, struct text *ret);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types and variables that a script names with @cast and @var. The node N is the cast or the variable: its text the name, its text2
 * the list of modules, "a:b:c", or NULL.
 */
#ifndef KTAP_PROBE_NAMED_H
#define KTAP_PROBE_NAMED_H

#include "translator/probe/context.h"

/* Where a name without a module is looked for; NULL: in the kernel. */
struct target *named_without_module(const struct context_place *cp);

typedef bool named_find_fn(struct target *t, const struct node *n, void *data);
/* Calls FIND with each target of N's list until it says yes; without a list, with that of the place, or the kernel. A list is of
 * places to look at, so those of several that are not here are passed over. False: reported when the only one could not be opened. */
bool named_search(struct program *p, const struct context_place *cp, const struct node *n, named_find_fn *find, void *data);
/* The names of the targets that it searches, for messages. */
const char *named_searched(const struct context_place *cp, const struct node *n);

/* The type that the cast N names; NULL: no type has that name, reported. */
const struct ctype *named_type(struct program *p, const struct context_place *cp, const struct node *n);

/* Notes a program that the script probes and that has the type of the cast N, which names no module and was looked for elsewhere. */
void named_note_program(struct program *p, const struct context_place *cp, const struct node *n);

#endif

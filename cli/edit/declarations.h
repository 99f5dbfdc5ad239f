/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script as a list of its declarations, from its tokens alone: it need not parse. */
#ifndef KTAP_CLI_EDIT_DECLARATIONS_H
#define KTAP_CLI_EDIT_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/diag.h"

/* A probe, an alias, globals, a function, a macro, embedded C or a conditional, with the comments before it. */
struct declaration {
	size_t begin, end;       /* offsets in the text */
	int kind;                /* an enum definition_kind, of what NAME is */
	size_t name_at, name_len; /* of a function, macro, alias or global; length 0: it has no name, or declares several things */
};

struct declarations {
	struct declaration *v;
	size_t n;
	bool complete;           /* false: the last one goes on after the text */
};

/* Fills DS. SRC may hold anything. */
void declarations_read(struct declarations *ds, struct source *src);
void declarations_deinit(struct declarations *ds);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks over structures within structures. In damaged files, and in files made to harm, they contain themselves, or each one many
 * of the next: a walk that goes into each of them takes as many steps as there are ways. One that goes into a type once takes no
 * more than the file has members, and finds the same names.
 */
#ifndef KTAP_DEBUGINFO_TYPE_WALK_H
#define KTAP_DEBUGINFO_TYPE_WALK_H

#include <stdbool.h>

struct ctype;

/* Begins as {}. */
struct type_walk {
	void *seen; /* tree of the types that it went into */
	bool cut;   /* it left some out that were too deep */
};

/* Does the walk go into TYPE, an address or a number, DEPTH types below the first one? */
bool type_walk_enters(struct type_walk *w, const void *type, int depth);
/* Ends the walk, and warns, once for a file, if it left out something of CT. */
void type_walk_end(struct type_walk *w, const struct ctype *ct);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole values as text: $x$, $x$$, and the lists $$vars$, $$parms$$ and so on. */
#ifndef KTAP_PROBE_PRETTY_H
#define KTAP_PROBE_PRETTY_H

#include "lib/text.h"
#include "translator/probe/context.h"

/* A sprintf that is being composed: format, then one argument for each directive in it. */
struct pretty {
	struct node *print;      /* ND_PRINT, OP_SPRINTF */
	struct node **end;       /* of its arguments */
	struct text format;
	struct node *before;     /* text of earlier pieces: a sprintf has space for 32 arguments */
	int n_arguments;
	struct program *program;
	const struct context_place *pieces; /* where the value is a structure in pieces that may be missing: ?; or NULL */
	int items, records;      /* of this value, printed so far: members and elements; structures */
};

void pretty_start(struct pretty *p, struct loc loc);
/* Appends a directive with its argument. */
void pretty_add(struct pretty *p, const char *directive, struct node *argument);
/* Appends NAME, from debugging information, as text. */
void pretty_name(struct pretty *p, const char *name);
/* The finished node. */
struct node *pretty_finish(struct pretty *p);
/* The text of the value of EXPR, of type CT: its members when it is a structure or a pointer to one; those of members too
 * when DEEP. Where memory cannot be read it is "ERROR", and the script goes on. PIECES: the place, where EXPR is a structure
 * without an address, of which parts may be unavailable: they are shown as ?; or NULL. */
struct node *pretty_value(struct program *program, struct node *expr, const struct ctype *ct, bool deep, const struct context_place *pieces);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Return probes whose bodies ask for values of the function's entry: a helper probe keeps them until the return. */
#ifndef KTAP_PROBE_ENTRY_H
#define KTAP_PROBE_ENTRY_H

#include "translator/probe/context.h"
#include "translator/probe/probe.h"

/* Part of what the data of a return probe's family holds; all zero at first. */
struct entry_values {
	struct probe *helper;  /* has no row: its handler runs at the entry and saves the values; NULL: none is wanted */
	struct node **end;     /* where its next statement goes */
	int slots;             /* in use: 0 says that the handler ran, and how many there are */
	int texts;             /* strings after them */
	int room;              /* of all of them, in longs */
	const char **text;     /* the expression in each, as source */
	bool *is_text;         /* and whether it is a string */
};

/* The hook struct probe_family.variable of a probe at CP that may be a return probe. It decides which moment an
 * expression belongs to. MAKE gives the helper its own data, for the entry's place, and its point. */
bool entry_variable(struct program *p, struct probe *pr, struct entry_values *ev, const struct context_place *cp,
		    void (*make)(const struct probe *pr, struct probe *helper), struct node **np, bool asked);

#endif

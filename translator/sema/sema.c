/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 2: the order of its parts. */
#include "translator/sema/sema.h"

#include "translator/sema/pass.h"
#include "translator/sema/words.h"

static void number_probes(struct program *p)
{
	int index = 0;

	for (struct probe *pr = p->probes; pr; pr = pr->next)
		pr->index = index++;
}

/* Names and types are found twice when globals are printed at the end: what is printed depends on both. */
static bool names_and_types(struct program *p)
{
	struct probe_def *last = p->probe_defs;

	if (!resolve_program(p) || !words_check(p))
		return false;
	optimise_unread(p);
	if (!autocast_program(p) || !infer_program(p))
		return false;
	while (last && last->next)
		last = last->next;
	if (!autoprint_add(p) || !reset_add(p))
		return false;
	return !last || !last->next || (resolve_program(p) && autocast_program(p) && infer_program(p));
}

bool sema_run(struct program *p)
{
	bool ok = names_and_types(p);

	/* After an error in names, more messages would follow from it. */
	if (ok && !p->probes) {
		ok = error(diag_nowhere(p->reports), DIAG_NO_PROBES, "the script has no probes");
		if (p->probe_defs)
			note(p->probe_defs->points->loc, "nothing matches it, which ? and ! allow");
	}
	ok = ok && check_program(p);
	ok = ok && counters_number(p);
	if (!ok)
		return false;
	optimise_program(p);
	number_probes(p);
	/* Errors count also where a pass went on, and warnings with -W. */
	return diag_errors(p->reports) == 0;
}

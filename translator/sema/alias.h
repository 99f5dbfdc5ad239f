/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bodies of aliases around the body of a script's probe. */
#ifndef KTAP_SEMA_ALIAS_H
#define KTAP_SEMA_ALIAS_H

#include "translator/syntax/ast.h"

enum { ALIAS_DEPTH_MAX = 100 };

/* One alias that was followed on the way from the written point; the one nearest to the place first. */
struct alias_step {
	const struct alias *alias;
	const struct probe_point *point;  /* that named it */
	const struct alias_step *outer;   /* towards the script */
	int depth;
};

/* A block of parts: prologues, the script's body, epilogues; loc.src of a part is the file whose names it sees.
 * @probewrite is answered; assignments of aliases to variables that nothing mentions are left out. */
struct node *alias_body(struct program *p, const struct probe_def *def, const struct alias_step *steps);

/* "inner <- outer": the points by which aliases were reached; NULL without any. */
const char *alias_chain_text(const struct alias_step *steps);

#endif

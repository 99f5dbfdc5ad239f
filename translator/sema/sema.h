/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 2: from the tree of the parser to resolved, typed, checked probes.
 *
 * In: program->probe_defs, functions, globals, aliases as parsed. Out: program->probes, each with its body, locals
 * and types; functions marked `used`; symbols with type, arity, key types. Diagnostics are printed as they are found.
 */
#ifndef KTAP_SEMA_SEMA_H
#define KTAP_SEMA_SEMA_H

#include "translator/syntax/ast.h"

struct text;

/* All of pass 2. False: at least one error was reported. */
bool sema_run(struct program *p);

/* Prints the output of -p2: globals, functions, probes with their locals; with -v also where each probe is. */
void sema_dump(struct text *t, struct program *p);

/* -v: how many places are probed, and by which mechanism: "9 places: 1 by ftrace, 8 by kprobe". */
void sema_summary(struct text *t, const struct program *p);

/* Instead of pass 2: what -l, -L and --dump-... print. False: nothing matched, reported. */
bool sema_list(struct program *p, struct text *t);

#endif

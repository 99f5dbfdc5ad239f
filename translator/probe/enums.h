/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @enum("NAME") and @enumname(value, "type"): enumerations of the probed program, folded at translation time. */
#ifndef KTAP_PROBE_ENUMS_H
#define KTAP_PROBE_ENUMS_H

#include "translator/syntax/ast.h"
#include "translator/probe/context.h"

/* Replaces an @enum by its number. Enumerators are looked up at CP first, in the kernel where that has no target. */
bool enum_fold(struct program *p, const struct context_place *cp, struct node **np);
/* Gives an @enumname, whose value is expanded already, its list of numbers and names. TYPE: the value's, of one that was kept at
 * the entry; else NULL. */
bool enum_names(struct program *p, struct target *t, struct node *n, const struct ctype *type);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KTAP_PROBE_ENUMERATORS_H
#define KTAP_PROBE_ENUMERATORS_H

#include "translator/debuginfo/target.h"
#include "translator/syntax/ast.h"

/* Sets the names of the ND_ENUMNAME N to those of the enumeration TYPE. */
void enumerators_of(struct node *n, const struct ctype *type);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates as core/stat.h stores them. */
#ifndef KTAP_SEMA_STAT_TYPE_H
#define KTAP_SEMA_STAT_TYPE_H

#include "runtime/core/map.h"
#include "translator/syntax/ast.h"

/* Returns enum kt_stat_op of the operator OP. */
int stat_op(enum op op);
/* Returns the aggregate that the operand of an @-operator names. */
const struct symbol *stat_symbol(const struct node *operand);
/* What S stores for the operators that the program applies to it: all but the margin of its histogram. PCT_BITS: of its percentiles, if it
 * has them. */
struct kt_stat_type stat_type(const struct symbol *s, kt_u32 pct_bits);

#endif

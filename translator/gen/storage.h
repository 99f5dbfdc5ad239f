/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals: their types and storage. */
#ifndef KTAP_GEN_STORAGE_H
#define KTAP_GEN_STORAGE_H

#include "translator/gen/state.h"

/* Returns enum kt_stat_op of the operator OP. */
int stat_op(enum op op);
/* Returns the name of the C constant with the type of the aggregate S. */
const char *stat_type_text(struct gen *g, const struct symbol *s);
/* Returns the aggregate that the operand of an @-operator names. */
const struct symbol *stat_symbol(const struct node *operand);
/* Writes the storage of all globals, and the functions that make and free it. */
void gen_globals(struct gen *g, struct text *out);

#endif

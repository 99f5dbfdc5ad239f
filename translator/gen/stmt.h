/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements. */
#ifndef KTAP_GEN_STMT_H
#define KTAP_GEN_STMT_H

#include "translator/gen/state.h"

void gen_stmts(struct gen *g, const struct node *list);
/* Emits N: see gen_stmt(). */
void stmt_emit(struct gen *g, const struct node *n);

#endif

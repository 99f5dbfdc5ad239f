/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions. */
#ifndef KTAP_GEN_EXPR_H
#define KTAP_GEN_EXPR_H

#include "translator/gen/state.h"

/* As a C truth value. */
const char *gen_cond(struct gen *g, const struct node *n);
/* The value of N: see gen_expr(). */
struct value expr_value(struct gen *g, const struct node *n);
/* Runs it, drops the value. */
void gen_effect(struct gen *g, const struct node *n);

#endif

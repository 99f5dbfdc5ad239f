/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: s <<< v and the @-operators. */
#ifndef KTAP_GEN_STAT_H
#define KTAP_GEN_STAT_H

#include "translator/gen/state.h"

/* s <<< v of a scalar. */
void gen_stat_add(struct gen *g, const struct node *n);
/* Words of the aggregate that an operator is applied to. */
const char *gen_stat_words(struct gen *g, const struct node *operand);
struct value gen_stat(struct gen *g, const struct node *n);
/* An element of a histogram: @hist_log(s)[i]. */
struct value gen_bucket(struct gen *g, const struct node *n);
/* i in @hist_log(s) */
struct value gen_has_bucket(struct gen *g, const struct node *n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which operands run. */
#ifndef KTAP_GEN_ORDER_H
#define KTAP_GEN_ORDER_H

#include "translator/gen/state.h"

/* N siblings, left to right; what a later one may change is kept in a temporary. */
void gen_list(struct gen *g, struct node *const *kids, int n, struct value *ret);
/* Which variables N reads and writes, as a set of these. */
enum { TOUCH_READ_LOCAL = 1, TOUCH_READ_GLOBAL = 2, TOUCH_WRITE_LOCAL = 4, TOUCH_WRITE_GLOBAL = 8 };
unsigned node_touches(const struct gen *g, const struct node *n);

#endif

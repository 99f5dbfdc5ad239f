/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts by number. */
#ifndef KTAP_GEN_TABLES_H
#define KTAP_GEN_TABLES_H

#include "translator/gen/state.h"

/* Returns the number of TEXT, which it adds when it is new. */
int table_add(struct map *t, const char *text);
/* Returns the number of the format TEXT of N. One too many: reported, and g->failed is set. N: NULL for embedded C. */
int gen_format(struct gen *g, const struct node *n, const char *text);
/* Number of the error place of a node: "operator '/' at x.stp:1:20". */
int gen_place(struct gen *g, const struct node *n);

#endif

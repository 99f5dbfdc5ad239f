/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family. */
#ifndef KTAP_GEN_PRINT_H
#define KTAP_GEN_PRINT_H

#include "translator/gen/state.h"

struct value gen_print(struct gen *g, const struct node *n);

#endif

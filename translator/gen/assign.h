/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assignments. */
#ifndef KTAP_GEN_ASSIGN_H
#define KTAP_GEN_ASSIGN_H

#include "translator/gen/state.h"

struct value gen_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_incdec(struct gen *g, const struct node *n, bool wanted);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach. */
#ifndef KTAP_GEN_FOREACH_H
#define KTAP_GEN_FOREACH_H

#include "translator/gen/state.h"

void gen_foreach(struct gen *g, const struct node *n);

#endif

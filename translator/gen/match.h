/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions in a handler. */
#ifndef KTAP_GEN_MATCH_H
#define KTAP_GEN_MATCH_H

#include "translator/gen/state.h"

const char *gen_match(struct gen *g, const struct node *n);
/* At the start of a handler: what matched() looks at. */
void gen_match_state(struct gen *g);

#endif

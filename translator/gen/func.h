/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script functions, and the space that calls need. */
#ifndef KTAP_GEN_FUNC_H
#define KTAP_GEN_FUNC_H

#include "translator/gen/state.h"

void gen_function(struct gen *g, struct function *f, struct text *ret_proto, struct text *ret_body);
/* Returns the slots of the deepest chain of calls below a handler. With recursion each level counts as the largest function. */
long long func_frame_slots(struct gen *g, struct node *body, struct node *condition);
/* Returns the bytes of a frame with SLOTS. Too many: reported, and g->failed is set. */
unsigned func_frame_size(struct gen *g, long long slots);
/* Do the handler with BODY and CONDITION, or functions that it calls, work on whole arrays? */
bool func_visits(struct gen *g, struct node *body, struct node *condition);
void func_analyse(struct gen *g);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C. */
#ifndef KTAP_GEN_EMBED_H
#define KTAP_GEN_EMBED_H

#include "translator/gen/state.h"

int embed_frame_slots(const struct gen *g, const struct function *f);
/* The end of the file: embedded C, "" when the script has none. */
void gen_embedded(struct gen *g, struct text *out);
void gen_embedded_stmt(struct gen *g, const struct node *n);
struct value gen_embedded_expr(struct gen *g, const struct node *n);

#endif

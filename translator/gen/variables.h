/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables as C. */
#ifndef KTAP_GEN_VARIABLES_H
#define KTAP_GEN_VARIABLES_H

#include "translator/gen/state.h"

/* Does this unit add to the CPU's copy of S? */
bool gen_is_counter(struct gen *g, const struct symbol *s);
/* Returns the C of the global S: a scalar's value, or its storage. */
const char *gen_global(struct gen *g, const struct symbol *s);
/* Returns the C of the scalar S. */
const char *gen_scalar(struct gen *g, const struct symbol *s);
struct value gen_name(struct gen *g, const struct node *n);
/* Sets S to the C TEXT. */
void gen_set_scalar(struct gen *g, const struct symbol *s, const char *text);
/* An array, or a scalar aggregate that is the one element of a map. */
bool gen_is_map(struct gen *g, const struct symbol *s);
/* Returns the C of the array S: &m_hits. */
const char *gen_map(struct gen *g, const struct symbol *s);

#endif

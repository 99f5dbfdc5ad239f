/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target values. */
#ifndef KTAP_GEN_ACCESS_H
#define KTAP_GEN_ACCESS_H

#include "translator/gen/state.h"

struct value gen_access(struct gen *g, const struct node *n);
/* The string in ARRAY, of char, whose address N gives. */
struct value gen_char_array(struct gen *g, const struct node *n, const struct ctype *array);
struct value gen_access_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_enum_name(struct gen *g, const struct node *n);
struct value gen_deref(struct gen *g, const struct node *n);
struct value gen_counter(struct gen *g, const struct node *n);
struct value gen_register(struct gen *g, const struct node *n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of functions, and their prototypes. */
#ifndef KTAP_GEN_CALL_H
#define KTAP_GEN_CALL_H

#include "translator/gen/state.h"

/* Has F a body of embedded C? */
bool func_is_embedded(const struct function *f);
/* Returns the prototype of F without its storage class; its name begins with PREFIX. */
const char *func_signature(struct gen *g, const struct function *f, const char *prefix);
/* Writes the prototypes of F, a function of the kit. */
void gen_kit_prototypes(struct gen *g, const struct function *f, struct text *out);
/* The C that calls F with N arguments; RET: where its string goes. */
const char *gen_call_text(struct gen *g, const struct function *f, const char *ret, const char *const *args, int n);
/* The call N; a result that is not WANTED is not kept. */
struct value gen_call(struct gen *g, const struct node *n, bool wanted);
/* Whether N is a call whose string comes with its hash: gen_hashed() evaluates it to a struct kt_hashed, which is valid until the next
 * call of such a function. */
bool gen_is_hashed(const struct gen *g, const struct node *n);
struct value gen_hashed(struct gen *g, const struct node *n);

#endif

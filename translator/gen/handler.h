/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers and conditions. */
#ifndef KTAP_GEN_HANDLER_H
#define KTAP_GEN_HANDLER_H

#include "translator/gen/state.h"

/* Whether the places of PR are armed and disarmed as its condition says, which then has a separate C function. */
bool gen_has_condition(const struct probe *pr);
void gen_condition(struct gen *g, const struct probe *pr, struct text *ret_body);
/* The braces and what is between them; the name is the caller's. */
void gen_handler(struct gen *g, struct probe *pr, struct text *ret_body);

#endif

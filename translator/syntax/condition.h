/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of %( %? %) conditionals. */
#ifndef KTAP_SYNTAX_CONDITION_H
#define KTAP_SYNTAX_CONDITION_H

#include "translator/syntax/tokens.h"

/* Whether the condition, tokens already expanded, holds. A malformed one is reported and does not hold. */
bool condition_holds(struct unit *u, const struct token *t, size_t n, struct loc loc);

#endif

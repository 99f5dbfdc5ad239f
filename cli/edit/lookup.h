/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the libraries define a function, macro or alias, and what the comment above says. */
#ifndef KTAP_CLI_EDIT_LOOKUP_H
#define KTAP_CLI_EDIT_LOOKUP_H

#include "cli/edit/outline.h"

/* Returns the place of the definition that N means in the libraries; src NULL: they have none. */
struct loc lookup_library(struct program *p, const struct name *n);
/* Returns the head of the definition at OFFSET of TEXT and the comment above it, as Markdown. */
const char *lookup_manual(const char *text, size_t offset);

#endif

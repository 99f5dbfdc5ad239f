/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one layout of scripts. Lines stay lines and comments stay; indentation, spaces, blank lines at the edges of blocks, the breaks
 * around a block of several lines, and the alignment of comments after code are the formatter's. */
#ifndef KTAP_CLI_EDIT_FORMAT_H
#define KTAP_CLI_EDIT_FORMAT_H

#include "lib/diag.h"
#include "lib/text.h"

/* Appends the script SRC, which parses, to OUT in that layout. Formatting the result gives the result. */
void format_source(struct source *src, struct text *out);

#endif

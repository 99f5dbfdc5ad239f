/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a space stands between two tokens of a line. */
#ifndef KTAP_CLI_EDIT_SPACING_H
#define KTAP_CLI_EDIT_SPACING_H

#include "cli/edit/structure.h"

/* The token on the left. */
struct spacing {
	const struct piece *piece; /* NULL: the line begins */
	int kind;
	bool tight;                /* nothing follows it directly: an opening bracket, a sign */
};

/* Is a space between LEFT and P, of kind KIND, which stands at AT? Two tokens never become one, nor one that is two. */
bool spacing_between(const struct spacing *left, const struct site *at, const struct piece *p, int kind, int next);
/* P as the left one. AT: before structure_add() of it. */
struct spacing spacing_after(const struct site *at, const struct piece *p, int kind);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family as formats: what each call prints, and of what. print(), println() and printd() become formats too, so that whoever
 * generates code knows one thing only.
 */
#ifndef KTAP_SEMA_PRINTED_H
#define KTAP_SEMA_PRINTED_H

#include "lib/text.h"
#include "runtime/core/format.h"
#include "translator/syntax/ast.h"

/* A format and what its directives take, in order. */
struct printed {
	struct text format;
	struct node *arg[KT_ARGS_MAX];
	char take[KT_ARGS_MAX];       /* 'L', 'S', 'M'; 'N': the name of an address */
	int name[KT_ARGS_MAX];        /* 'N': enum kt_name_kind */
	int precision[KT_ARGS_MAX];   /* 'M': bytes; -1 - i: argument i holds it */
	bool user[KT_ARGS_MAX];       /* 'M': of user memory */
	int n;
	bool record;                  /* for the loader, not into a string */
	size_t string_max;            /* bytes of a string of the script, with its NUL */
};

/* Does the call with OP return a string? */
bool printed_is_string(enum op op);
/* Does it end with a newline? */
bool printed_has_newline(enum op op);
/* Reads the call N, which prints no histogram, into P, of which `record` and `string_max` are set. */
void printed_read(struct printed *p, const struct node *n);

#endif

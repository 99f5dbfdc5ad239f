/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the script in embedded C: found in its text, without parsing. */
#ifndef KTAP_SEMA_EMBEDDED_H
#define KTAP_SEMA_EMBEDDED_H

#include "translator/syntax/ast.h"

/* Is WORD in the text of N, a statement or an expression, or in C of the top level, where a macro may hold it? */
bool embedded_names(const struct program *p, const struct node *n, const char *word);
/* Does N name the variable NAME of the function or handler that it stands in: STAP_ARG_NAME? */
bool embedded_names_variable(const struct program *p, const struct node *n, const char *name);
/* May the C of F, or a piece of C in its body, give the function's result? */
bool embedded_returns(const struct program *p, const struct function *f);

/* Marks what TEXT says in comments of globals as read and written: pragma:read:NAME, pragma:write:NAME. */
void embedded_mark_globals(const struct program *p, const char *text);
/* The variables of VARS that a piece in BODY names are read and written: C gets their address. */
void embedded_mark_variables(const struct program *p, struct node *body, struct symbol *vars);

#endif

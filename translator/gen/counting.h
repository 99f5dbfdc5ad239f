/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts statements for the action budget. */
#ifndef KTAP_GEN_COUNTING_H
#define KTAP_GEN_COUNTING_H

#include "translator/gen/state.h"

/* Does N, an expression, take time by itself? Calls, prints, look-ups and strings do. */
bool count_is_work(const struct node *n);
/* How many statements a handler of PR may run: begin, end and error, which nothing waits for, have ten times as many. */
long long count_budget(const struct gen *g, const struct probe *pr);
/* Returns whether the handler of PR counts its statements outside of loops. */
bool count_in_handler(struct gen *g, const struct probe *pr);
/* Marks the functions that count their statements, in g->counted. */
void count_analyse(struct gen *g);
/* May the statements after N be skipped? */
bool count_may_leave(const struct node *n);
/* Statements of LIST that are run together: up to the first that may leave. What arms and loops hold counts itself, and the rest when it is
 * reached. */
int count_statements(const struct node *list);
/* What the expression N, or NULL, costs besides its statement: a little is part of that. */
int count_work(const struct node *n);
/* Statement N, without what its arms and turns hold. */
int count_statement(const struct node *n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The concurrency plan of each global: what handlers may do with it without waiting for each other. */
#ifndef KTAP_SEMA_PLAN_H
#define KTAP_SEMA_PLAN_H

#include "translator/syntax/ast.h"

enum plan {
	PLAN_READ_ONLY, /* written in begin, end, error at most: plain memory */
	PLAN_COUNTER,   /* hot probes only add to it: a copy per CPU; others lock, sync, then own it */
	PLAN_LOCKED,    /* plain memory under a lock */
};

/* Uses of a global by a handler or a function. */
enum use {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_COUNT = 4, /* ++ -- += -= <<< whose value nobody looks at */
	USE_SORT = 8,  /* a sorted foreach: scratch space of the map */
};

/* Uses of all globals by one body, functions it calls included: flags[symbol->index]. */
struct uses {
	unsigned char *flags;
	bool tokenize; /* it calls a function that keeps state in the context */
};

struct plan_state {
	int n_globals;
	struct symbol **globals; /* by index */
	int n_functions;         /* used ones, by function->index */
	struct function **functions;
	struct uses *direct;     /* by function->index: its own body alone */
	struct uses *closed;     /* with everything it calls */
	const char **why;        /* by symbol->index: why it has its plan, for people */
	bool *boxed;             /* by symbol->index: a scalar aggregate kept as the one element of a map */
	unsigned char *called_by; /* [function * n_globals + global]: 1 by counting handlers, 2 by owners */
};

/* Numbers globals and functions, decides every symbol->plan. */
void plan_program(struct plan_state *ps, struct program *p);

/* Uses by one statement or expression, calls included. */
void plan_uses(const struct plan_state *ps, struct node *n, struct uses *ret);
/* Uses by a whole handler. */
void plan_probe_uses(const struct plan_state *ps, const struct probe *pr, struct uses *ret);
struct uses plan_uses_new(const struct plan_state *ps);

/* A COUNTER global: this handler (with USES flags of it) locks and owns it, rather than adding to its CPU's copy. */
bool plan_owner(const struct probe *pr, unsigned flags);

/* matched() and similar functions: they look at the last =~. */
bool plan_is_match_function(const struct function *f);

const char *plan_name(enum plan plan);
/* "counter: per CPU, no lock": the plan of the global I and why. */
struct text;
void plan_describe(struct text *t, const struct plan_state *ps, int i);

#endif

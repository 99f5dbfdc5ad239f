/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the evaluator share: values, variables, and how an expression ends early.
 *
 * The evaluator walks the tree as it is after pass 2 with -u. It shares the front end with ktap and nothing else: its
 * arithmetic, strings, arrays, aggregates and formats are written from reference/systemtap.md. Where ktap has words,
 * templates and tables, this has one switch. Speed and memory do not matter here; being plain does.
 */
#ifndef KTAP_TESTSUITE_ORACLE_H
#define KTAP_TESTSUITE_ORACLE_H

#include <setjmp.h>

#include "lib/text.h"
#include "translator/syntax/ast.h"

enum { KEYS_MAX = 9 };

/* A long or a string; the symbol or node it belongs to knows which. */
struct value {
	long long number;
	const char *string; /* never NULL where a string is meant */
};

struct stat {
	long long count;
	unsigned long long sum;
	long long min, max;
	__int128 exact_sum, squares;
};

/* What a variable holds, or one element of an array. */
struct cell {
	struct value value;
	struct stat stat;
	struct value key[KEYS_MAX];
	struct cell *next; /* elements in the order of their creation */
};

struct binding {
	const struct symbol *sym;
	struct cell cell;      /* a scalar */
	struct cell *elements; /* an array */
	struct binding *next;
};

/* ---- values.c ---- */
extern size_t string_max; /* MAXSTRINGLEN: with the NUL */
struct value of_number(long long n);
/* A copy, cut at string_max - 1 bytes and at a NUL. */
struct value of_string(const char *s, size_t len);
struct value concat(const char *a, const char *b);
/* Negative, 0, positive: A before, equal to, after B. */
int compare_values(enum type type, struct value a, struct value b);
/* 0: the divisor is 0. Everything else is defined. */
bool binary(enum op op, long long a, long long b, long long *ret);

struct cell *element_find(struct binding *v, const struct value *keys);
struct cell *element_make(struct binding *v, const struct value *keys);
void element_delete(struct binding *v, const struct cell *e);
void stat_add(struct stat *s, long long n);
/* False: S is empty and OP wants values. */
bool stat_get(const struct stat *s, enum op op, long long *ret);

/* ---- format.c: NUMBER or STRING arguments are taken from ARGS in order ---- */
void format(struct text *out, const char *fmt, const struct value *args);

/* ---- eval.c ---- */
/* Runs BODY with LOCALS; false: an error that nobody caught, its message in *ret. */
bool run_handler(struct node *body, struct symbol *locals, const char **ret);
extern struct text printed;
/* Bounds a run: programs that take longer are the generator's fault. */
extern long long steps_left;
extern bool exiting; /* exit() was called: no further begin probe runs */
void globals_init(struct symbol *globals);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by name, as sets, and in the order of their calls. */
#ifndef KTAP_SEMA_FUNCTIONS_H
#define KTAP_SEMA_FUNCTIONS_H

#include "translator/syntax/ast.h"

/* Whether a call of NAME in FILE may mean F. */
bool function_callable(const struct function *f, const char *name, const struct source *file);

/* The overloads that a call of NAME with N arguments from FILE may mean, linked in order of trial: by priority, then by
 * declaration. Reads tapset files. */
struct function *function_overloads(struct program *p, const char *name, int n, const struct source *file);

/* Any function of this name that FILE can call, NULL: none; *RET_SEVERAL: there are more. */
const struct function *function_named(struct program *p, const char *name, const struct source *file,
				      bool *ret_several);

/* May it say `next`, so that the overload after it is tried? */
bool function_declines(const struct function *f);

/* Functions, each once. Membership is kept in function->index: one set at a time, and none while gen numbers. */
struct function_set {
	struct function **v;
	size_t n;
};
/* Adds what CODE may call, directly or through other functions. */
void function_set_reach(struct function_set *set, struct node *code);
void function_set_deinit(struct function_set *set);

/* Passes recurse over calls: false, with an error, where the functions in use are nested so deeply in all that a stack might not do. */
bool functions_bounded(const struct program *p);
/* Sets program->call_order, and `recursive` of functions that may call themselves. */
void functions_order(struct program *p);

/* Does a function of this name use $variables, so that it means something in a probe only? */
bool function_is_placed(struct program *p, const char *name);
/* Returns FIRST and its overloads as a call in PR reaches them: copies for that probe where they use its variables. */
struct function *function_for_probe(struct function *first, struct probe *pr);

#endif

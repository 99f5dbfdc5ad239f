/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Elements of arrays. */
#ifndef KTAP_GEN_ARRAY_H
#define KTAP_GEN_ARRAY_H

#include "translator/gen/state.h"

enum { KEYS_MAX = 9 };

/* The evaluated keys of one access. */
struct keys {
	struct value v[KEYS_MAX + 1];
	enum type type[KEYS_MAX];
	int n;
	unsigned any; /* bit i: a wildcard */
	bool hashed;  /* the one key is a struct kt_hashed */
};

/* Evaluates the keys LIST of S, and LAST (the right side of an assignment) after them if it is not NULL. */
void gen_keys(struct gen *g, const struct symbol *s, struct node *list, struct node *last, struct keys *k);
/* `{ .number = 1 }, { .string = "x" }` */
const char *gen_keys_init(const struct keys *k);
/* The loop whose element the array element N is, as the number of its struct kt_loop; -1: none. */
int gen_loop_of(const struct gen *g, const struct node *n);
/* The words of the value of the element of S that the loop LOOP is at. */
const char *gen_loop_value(const struct symbol *s, int loop);
struct value gen_index(struct gen *g, const struct node *n);
struct value gen_in(struct gen *g, const struct node *n);
void gen_boxed_add(struct gen *g, const struct node *n, const struct symbol *s, const char *value);
struct value gen_array_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_array_incdec(struct gen *g, const struct node *n, bool wanted);
void gen_delete(struct gen *g, const struct node *n);

#endif

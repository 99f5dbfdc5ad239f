/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How generated code computes a target value: a base, then steps. Made by a family's variable hook, read by gen. */
#ifndef KTAP_PROBE_ACCESS_H
#define KTAP_PROBE_ACCESS_H

#include "translator/debuginfo/target.h"
#include "translator/syntax/ast.h"

enum access_base {
	ACC_LOCATION, /* a variable of the target: location */
	ACC_RETURN,   /* kt_return_value(c) */
	ACC_EXPR,     /* an expression of the script holds the address: node->kid[0] (casts) */
};

enum step_kind {
	STEP_DEREF,  /* the value so far is a pointer: it becomes the address */
	STEP_MEMBER, /* add offset */
	STEP_INDEX,  /* add index * size; index is an expression of the script */
	STEP_CPU,    /* the address is in this CPU's copy: it becomes that of CPU number index */
	STEP_VARIANT, /* what is there must be that variant */
};

/* A variant of an enum with data that is read: the value must be that one. */
struct access_variant {
	const char *name;
	const struct ctype *type;   /* of the discriminant */
	uint64_t offset;            /* of the discriminant in a value in memory */
	struct location location;   /* of the discriminant of a value in registers */
	bool other;                 /* its discriminant is not among NUMBERS; false: it is the first of them */
	const int64_t *numbers;
	int n;
	struct access_variant *next;
};

struct access_step {
	enum step_kind kind;
	uint64_t offset;         /* MEMBER */
	struct node *index;      /* INDEX, CPU */
	uint64_t size;           /* INDEX: of an element; DEREF: of the pointer */
	const struct access_variant *variant;
	struct access_step *next;
};

struct access {
	enum access_base base;
	struct location location;
	const struct ctype *base_type;
	struct access_step *steps;
	struct access_variant *variants; /* of a value in registers */
	const struct ctype *type;   /* of the result */
	unsigned bit_offset, bit_size; /* bitfield result */
	bool address;               /* the address is wanted (&, or the result is an array or struct) */
	bool partial;               /* a member of what one register holds */
	bool wide;                  /* RETURN: of 8 bytes in a program of 32 bits, so in two registers */
	bool user_memory;           /* steps read user memory */
	bool said;                  /* ACC_EXPR: the script says of which type (@cast) */
};

/* Where a value can be written. */
enum access_store {
	STORE_NOWHERE, /* it is computed, in pieces, or has more than one value */
	STORE_MEMORY,
	STORE_REGISTER,
	STORE_RETURN,
};

static inline enum access_store access_store(const struct access *a)
{
	bool in_memory = a->base == ACC_EXPR || (a->base == ACC_LOCATION && a->location.kind == LOC_ADDRESS);

	for (const struct access_step *s = a->steps; s; s = s->next)
		in_memory |= s->kind == STEP_DEREF || s->kind == STEP_INDEX;
	if (a->address)
		return STORE_NOWHERE;
	if (in_memory)
		return STORE_MEMORY;
	if (a->steps || a->bit_size || a->partial)
		return STORE_NOWHERE;
	return a->base == ACC_RETURN ? STORE_RETURN :
	       a->location.kind == LOC_REGISTER ? STORE_REGISTER : STORE_NOWHERE;
}

#endif

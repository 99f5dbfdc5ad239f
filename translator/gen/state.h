/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of pass 3, and how an expression becomes C.
 *
 * A script expression becomes a C expression plus statements that must run before it. All that can fail, write or
 * call is a statement, emitted in the script's order; the C expression that remains only reads and computes. So
 * operands run left to right, and an error jumps out of a statement, never out of the middle of an expression.
 *
 * To add an expression kind: a case in expr_value() and a function in the file of its subject, which takes the values of what it holds by
 * gen_expr(). So that file is below expr.c.
 */
#ifndef KTAP_GEN_STATE_H
#define KTAP_GEN_STATE_H

#include "lib/map.h"
#include "lib/text.h"
#include "translator/sema/limits.h"
#include "translator/sema/plan.h"
#include "translator/syntax/ast.h"

struct gen;

/* A C expression that has no effect and cannot fail. */
struct value {
	const char *text;
	bool constant; /* a literal: nothing changes it */
	bool slot;     /* a string in a separate frame slot: whoever gets the value may change it */
	size_t len;    /* a constant string's length */
};

/* A foreach whose body changes none of its keys' variables: there A[KEYS] is the loop's element. */
struct walked {
	const struct node *loop;
	int id;                  /* of its struct kt_loop */
	const struct walked *outer;
};

/* The state of emission of one C function. */
struct unit {
	struct function *func;   /* NULL: a handler */
	const struct probe *probe; /* NULL: a function */
	struct uses uses;        /* of the whole handler; unset in functions */
	struct text code;        /* statements so far */
	int n_long, n_string, n_pointers; /* temporaries t0.., q0.., e0.. */
	int n_hashed;            /* temporaries h0..: strings with their hashes */
	int n_lookups;           /* of elements, by a number */
	int n_labels;
	int slots, max_slots;    /* frame slots: in use, most at once; the first are the string locals */
	int loop;                /* label number of the innermost loop */
	bool continued;          /* that loop has a `continue` */
	bool counted;            /* statements are counted here */
	void (*arm)(struct gen *g, struct node *n); /* writes the arms of the `if` that comes now; NULL: as usual */
	bool calls;              /* functions of the script or the library, which may count statements */
	bool looks;              /* what it calls may look at the clock: see kt_took_long() */
	const char *adds;        /* its first statement only counts: "offset, number" in C */
	size_t adds_end;         /* where that statement ends in `code` */
	bool declined;           /* a function with `next` */
	bool condition;          /* a probe's condition on its own */
	bool acts, frame;        /* a handler that counts statements; one whose callees use the frame */
	bool visits;             /* a handler that works on whole arrays */
	struct node *sorted[16]; /* maps of the sorted loops around */
	int n_sorted;
	const struct walked *walked; /* the loops around whose element is known by its keys, innermost first */
};

struct gen {
	struct program *p;
	struct plan_state plan;
	struct map formats, places; /* texts, by number */
	struct map locators;      /* bodies of functions that compute a location, by number */
	struct map row_texts;     /* texts of rows; the value is where one begins */
	struct text row_text;     /* them as literals, */
	size_t row_texts_size;    /* which have so many bytes */
	struct loc *place_locs;   /* by place */
	struct uses condition_uses; /* of all conditions that arm and disarm */
	struct limits limits;
	long long map_string;     /* MAPSTRINGLEN */
	int max_nesting;
	bool recursion;
	bool traced;              /* each statement says in the log that it runs */
	const char **global_name; /* in C, by symbol->index */
	const char **func_name;   /* by function->index */
	int *offset;              /* in the per-CPU globals, by symbol->index; -1 none */
	int percpu_size;
	int *sort_slots;          /* by symbol->index */
	int *sort_base;           /* by symbol->index: how many of sort_slots functions use */
	int *frame;               /* slots of the frame, by function->index */
	int handler_slots;        /* of the handler that was written last */
	bool handler_visits;      /* it works on whole arrays */
	bool *counted;            /* by function->index: counts its statements */
	int *cost;                /* by function->index: statements that a call runs at most outside of loops; -1 unknown */
	struct text regexes;      /* definitions of matchers */
	struct map patterns;      /* by number of the matcher */
	unsigned *regex_room;     /* words that its groups need */
	struct text pieces, piece_protos; /* embedded C of statements and expressions */
	int n_pieces, piece_slots; /* slots of the frame that one of them takes at most */
	int text_format;          /* "%s", for STAP_PRINTF */
	/* The walks down the program, for the kinds of nodes that hold others: gen_expr() and gen_stmt(). */
	struct value (*expr)(struct gen *g, const struct node *n);
	void (*stmt)(struct gen *g, const struct node *n);
	struct unit *u;
	bool failed;
	bool stacks;                 /* the script takes stacks of user programs */
	int builds;                  /* modules that it was compiled with */
};

static inline struct value gen_expr(struct gen *g, const struct node *n)
{
	return g->expr(g, n);
}

static inline void gen_stmt(struct gen *g, const struct node *n)
{
	g->stmt(g, n);
}

#endif

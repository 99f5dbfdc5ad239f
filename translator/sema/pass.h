/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of pass 2: the passes in their order, and walking over the tree. */
#ifndef KTAP_SEMA_PASS_H
#define KTAP_SEMA_PASS_H

#include "translator/probe/probe.h"
#include "translator/syntax/ast.h"

/* Is LOC in the script, and not in the library? */
static inline bool loc_is_of_user(struct loc loc)
{
	return loc.src && !loc.src->tapset;
}

/* ---- the passes, in order; each returns false after it reported an error ---- */
/* expand.c: probe definitions from DEF on become program->probes (appended). */
bool expand_probes(struct program *p, struct probe_def *def);
/* resolve.c: names in everything that was not resolved yet; reads tapset files, whose probes it expands. */
bool resolve_program(struct program *p);
/* autocast.c: what values of the script point at, and the accesses that follow from it. */
bool autocast_program(struct program *p);
/* resolve.c: names of an expression that was added to the body of PR, or of F. */
bool resolve_expression(struct program *p, struct probe *pr, struct function *f, struct node **np);
/* elide.c: drops code that never runs, and the functions that only it calls; finds uses again. */
void elide_program(struct program *p);
/* Is the statement after N never reached? */
bool node_leaves(const struct node *n);
/* autoprint.c: end probes for globals that are written and never read; to be resolved like others. */
bool autoprint_add(struct program *p);
/* reset.c: probes that reset globals for --control; to be resolved like others. */
bool reset_add(struct program *p);
/* autoprint-json.c: how an array is printed with -f json. */
struct autoprint_json {
	bool histograms; /* --hist: of elements too */
	bool stacks;     /* keys may be stacks as text, */
	bool addresses;  /* or addresses of backtrace() */
};
/* The statements that print G. */
void autoprint_json_put(struct text *t, const struct symbol *g, const struct autoprint_json *how);
/* list-places.c: what ktap resolve prints of a place. */
void list_place(struct text *t, const struct program *p, const struct probe *pr);
/* infer.c: types of all symbols, functions and expressions. */
bool infer_program(struct program *p);
/* check.c: what is not a matter of types. */
bool check_program(struct program *p);
/* counters.c: gives each counter of the perf family its number, and @perf that of its counter. */
bool counters_number(struct program *p);
/* check.c: side_effects and pure of all functions, from call_order. */
void find_effects(struct program *p);
/* optimise.c: drops assignments that nobody reads and expressions without effect, before types are inferred. */
void optimise_unread(struct program *p);
/* optimise.c: folds constants; removes what has no effect and warns about it. */
void optimise_program(struct program *p);

/* ---- target.c: values of the probed program in bodies ---- */
/* Whether the body's meaning depends on the place it runs at. */
bool target_dependent(struct program *p, struct node *body);
/* Gives each target value of PR's body and condition its access; folds @defined and what it decides. */
bool target_expand(struct program *p, struct probe *pr);
/* The same in a function. One that is no probe's copy has only values that no place is needed for: @cast, @var, @enum. */
bool target_expand_function(struct program *p, struct function *f);
/* Reports what *NP lacks, code that was left as `absent`. F: the function it is in, NULL: it is in PR. */
void target_report_absent(struct program *p, struct probe *pr, struct function *f, struct node **np);

/* ---- kept.c: values of the function's entry where it has run on ---- */
/* Where the access of N, a value at CP, needs what a register held at the entry of the function, N->list becomes the expression
 * for it. False: reported. */
bool kept_value(struct program *p, struct probe *pr, const struct context_place *cp, struct node *n);

/* ---- fold.c: arithmetic at translation time, exactly that of the runtime ---- */
/* Value of an expression made of literals; false: it is not, or it raises an error. */
bool fold_constant(const struct node *n, long long *ret);
/* Replaces constant subexpressions by literals. */
void fold_tree(struct node **np);
/* Folds the condition *NP: `x && 0` is 0 and `x || 1` is 1 where x has no effects. Returns whether its value is known. */
bool fold_condition(struct program *p, struct node **np, bool *ret);

/* effects.c: whether evaluating N changes anything, before or after names are resolved. */
bool has_effects(struct program *p, struct node *n);

/* once.c: calls of stable functions in a body are made once; LOCALS gets what keeps their values, under names that PARAMS do not have. */
void once_calls(struct node *body, struct symbol **locals, const struct symbol *params);

/* uses.c: which functions probes reach; read and written of all symbols. Again after each change of the tree. */
void find_uses(struct program *p);

/* ---- format.c: printf formats ---- */
struct directive {
	bool none;       /* %%: takes nothing */
	bool star_width, star_precision;
	bool string;     /* takes a string, else a long */
};
/* The next directive at or after *S; false: none. The parser has checked the format. */
bool format_next(const char **s, struct directive *ret);

/* reader-name.c: in comparisons, patterns and keys SystemTap's names of the process that reads become ktaprun's. */
void reader_name(struct node *n);

/* ---- walk.c ---- */
/* Calls FN with the place of each direct child of N that is an expression or a statement, in order of evaluation.
 * FN may replace the node: node_replace() keeps its neighbours. Of a target value with an access only the script's own
 * expressions are children. */
void node_kids(struct node *n, void (*fn)(struct node **np, void *data), void *data);
void node_replace(struct node **np, struct node *with);
/* Is N an `if`, ?:, && or ||: does kid[0] decide what else counts? */
bool node_is_choice(const struct node *n);
/* Replaces the choice *NP, whose kid[0] is V, by what is left of it. Returns the place of what is left to be looked at. */
struct node **node_decide(struct node **np, bool v);
/* Calls FN for N and all below it in order of evaluation; false skips the kids. Sees what node_kids() sees. */
void node_visit(struct node *n, bool (*fn)(struct node *n, void *data), void *data);

/* Is N the statement `NAME = expression`? */
static inline bool node_assigns_name(const struct node *n)
{
	const struct node *e = n->kind == ND_EXPR ? n->kid[0] : NULL;

	return e && e->kind == ND_ASSIGN && e->op == OP_ASSIGN && e->kid[0]->kind == ND_NAME;
}

static inline bool node_is_statement(const struct node *n)
{
	return n->kind >= ND_NULL_STMT;
}

/* "long", "string", "aggregate"; "a long", "a string", "an aggregate". */
const char *type_name(enum type t);
const char *type_a(enum type t);

#endif

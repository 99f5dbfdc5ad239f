/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of gen/: the state of pass 3, and how an expression becomes C.
 *
 * A script expression becomes a C expression plus statements that must run before it. All that can fail, write or
 * call is a statement, emitted in the script's order; the C expression that remains only reads and computes. So
 * operands run left to right, and an error jumps out of a statement, never out of the middle of an expression.
 *
 * To add an expression kind: a case in gen_expr() and a function in the file of its subject.
 */
#ifndef KTAP_GEN_INTERNAL_H
#define KTAP_GEN_INTERNAL_H

#include "lib/map.h"
#include "lib/text.h"
#include "runtime/core/format.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"
#include "translator/sema/plan.h"
#include "translator/syntax/ast.h"

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
	bool arms_lock;          /* each arm of the `if` that comes now takes its locks itself */
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
	int string_max;           /* limits of -D, checked */
	long long max_visits;
	long long max_action;    /* statements of a hit */
	long long max_life;      /* statements of a handler of begin, end or error */
	long long map_entries, map_string;
	int max_nesting;
	bool recursion;
	bool traced;              /* each statement says in the log that it runs */
	const char **global_name; /* in C, by symbol->index */
	const char **func_name;   /* by function->index */
	int *offset;              /* in the per-CPU globals, by symbol->index; -1 none */
	int percpu_size;
	int *sort_slots;          /* by symbol->index */
	int *sort_base;           /* of them, those that functions use */
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
	struct unit *u;
	bool failed;
	bool stacks;                 /* the script takes stacks of user programs */
	int builds;                  /* modules that it was compiled with */
};

/* ---- gen.c ---- */
/* Returns the number of TEXT, which it adds when it is new. */
int table_add(struct map *t, const char *text);
/* Returns the number of the format TEXT of N. One too many: reported, and g->failed is set. N: NULL for embedded C. */
int gen_format(struct gen *g, const struct node *n, const char *text);
/* A limit of -D, refused when it is out of range. */
long long gen_limit(struct gen *g, const char *name, long long otherwise, long long low, long long high);
/* Number of the error place of a node: "operator '/' at x.stp:1:20". */
int gen_place(struct gen *g, const struct node *n);
/* A C identifier from a script's: keywords and our own prefix get one. */
const char *gen_local_name(const char *name);
/* Returns S as it may stand in a comment, which it neither ends nor begins. */
const char *gen_comment(const char *s);

/* ---- expr.c ---- */
struct value gen_expr(struct gen *g, const struct node *n);
/* The value of a string literal, with a warning if it is cut. */
struct value gen_literal(struct gen *g, const struct node *n);
/* Runs it, drops the value. */
void gen_effect(struct gen *g, const struct node *n);
/* As a C truth value. */
const char *gen_cond(struct gen *g, const struct node *n);
/* N siblings, left to right; what a later one may change is kept in a temporary. */
void gen_list(struct gen *g, struct node *const *kids, int n, struct value *ret);
/* Keeps V in a temporary: C that runs later cannot change it. */
struct value gen_hold(struct gen *g, struct value v, enum type type);
struct value gen_constant(long long number);
struct value value_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* NUMBER as C, in which handlers that share a function may differ. */
const char *gen_datum(const struct gen *g, int number);
/* Between these two stands C that sets TO. A shared function sets it to the value that WORD (enum kt_word) describes. */
void gen_region(struct gen *g);
void gen_region_end(struct gen *g, uint64_t word, const char *to);
/* A fresh temporary of type kt_s64. */
const char *gen_temp(struct gen *g);
/* Code generated from here to gen_try_failed(), which takes the result, may fail without ending the handler. */
const char *gen_try(struct gen *g);
/* Opens the block of what is done when it failed; c->error says why, and is to be set to 0 there. */
void gen_try_failed(struct gen *g, const char *failed);
/* A fresh slot of the frame, as C text. */
const char *gen_slot(struct gen *g);
/* Literal of a number; of a string, cut to what a string of the script holds; of a string as it is. */
const char *c_number(long long v);
const char *c_string(struct gen *g, const char *s, size_t len, size_t *ret_len);
const char *c_whole_string(const char *s, size_t len);
/* One statement of C. */
void gen_line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An empty line. */
void gen_blank(struct gen *g);
void gen_open(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_close(struct gen *g, const char *s);
void gen_check(struct gen *g, const struct node *n);
/* Reads and writes of locals and globals: see gen_list(). */
enum { TOUCH_READ_LOCAL = 1, TOUCH_READ_GLOBAL = 2, TOUCH_WRITE_LOCAL = 4, TOUCH_WRITE_GLOBAL = 8 };
unsigned node_touches(const struct gen *g, const struct node *n);
/* From a template of ops.def. */
const char *gen_template(struct gen *g, const struct node *n, const char *a, const char *b, bool *ret_fails);

/* ---- assign.c: lvalues ---- */
struct value gen_name(struct gen *g, const struct node *n);
struct value gen_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_incdec(struct gen *g, const struct node *n, bool wanted);
/* The C of a global in this unit. */
bool gen_is_counter(struct gen *g, const struct symbol *s); /* add to the CPU's copy */
const char *gen_global(struct gen *g, const struct symbol *s); /* a scalar's value, or its storage */
void gen_set_scalar(struct gen *g, const struct symbol *s, const char *text);

/* ---- array.c ---- */
const char *gen_map(struct gen *g, const struct symbol *s); /* &m_hits */
/* An array, or a scalar aggregate that is the one element of a map. */
bool gen_is_map(struct gen *g, const struct symbol *s);
void gen_boxed_add(struct gen *g, const struct node *n, const struct symbol *s, const char *value);
struct value gen_index(struct gen *g, const struct node *n);
/* The loop whose element the array element N is, as the number of its struct kt_loop; -1: none. */
int gen_loop_of(const struct gen *g, const struct node *n);
/* The words of the value of the element of S that the loop LOOP is at. */
const char *gen_loop_value(const struct symbol *s, int loop);
struct value gen_in(struct gen *g, const struct node *n);
struct value gen_array_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_array_incdec(struct gen *g, const struct node *n, bool wanted);
void gen_delete(struct gen *g, const struct node *n);
void gen_foreach(struct gen *g, const struct node *n);
/* Definition of a global's types and storage, and its lines in init and exit. */
void gen_define_map(struct gen *g, struct text *out, const struct symbol *s);
void gen_init_map(struct gen *g, struct text *out, const struct symbol *s);

/* ---- stat.c ---- */
const char *stat_type_text(struct gen *g, const struct symbol *s);
void gen_define_stat(struct gen *g, struct text *out, const struct symbol *s);
/* The fields, buckets and words of the aggregate S. */
struct kt_stat_type gen_stat_type(struct gen *g, const struct symbol *s);

/* ---- memory.c ---- */
struct kt_map_type;
/* Adds the memory of the array S, of type T, to those of the program. */
void memory_note(struct program *p, const struct symbol *s, const struct kt_map_type *t);
/* The sum, as members of struct kt_script. */
void memory_write_sum(const struct program *p, struct text *out);
/* The largest arrays, in a section that the loader reads without loading the module. */
void memory_write_largest(const struct program *p, struct text *out);
struct value gen_stat(struct gen *g, const struct node *n);
/* s <<< v of a scalar. */
void gen_stat_add(struct gen *g, const struct node *n);
/* Words of the aggregate that an operator is applied to. */
const char *gen_stat_words(struct gen *g, const struct node *operand);
const struct symbol *stat_symbol(const struct node *operand);
int stat_op(enum op op);

/* ---- print.c ---- */
struct value gen_print(struct gen *g, const struct node *n);

/* ---- stmt.c ---- */
void gen_stmt(struct gen *g, const struct node *n);
void gen_stmts(struct gen *g, const struct node *list);
/* `next`: to the end of the handler, or to the next overload. */
void gen_next(struct gen *g);
/* Returns how many statements KT_ACTIONS counts for LIST, for the statement N. */
int stmt_cost(const struct node *list);
int block_cost(const struct node *n);

/* ---- counting.c ---- */
/* How many statements a handler of PR may run: begin, end and error, which nothing waits for, have ten times as many. */
long long count_budget(const struct gen *g, const struct probe *pr);
/* Does N, an expression, take time by itself? Calls, prints, look-ups and strings do. */
bool count_is_work(const struct node *n);
/* Marks the functions that count their statements, in g->counted. */
void count_analyse(struct gen *g);
/* Returns whether the handler of PR counts its statements outside of loops. */
bool count_in_handler(struct gen *g, const struct probe *pr);

/* ---- func.c ---- */
struct value gen_call(struct gen *g, const struct node *n, bool wanted);
/* Whether N is a call whose string comes with its hash: gen_hashed() evaluates it to a struct kt_hashed, which is valid until the next
 * call of such a function. */
bool gen_is_hashed(const struct gen *g, const struct node *n);
struct value gen_hashed(struct gen *g, const struct node *n);
void gen_function(struct gen *g, struct function *f, struct text *ret_proto, struct text *ret_body);
void func_analyse(struct gen *g);
/* Do the handler with BODY and CONDITION, or functions that it calls, work on whole arrays? */
bool func_visits(struct gen *g, struct node *body, struct node *condition);
/* Returns the slots of the deepest chain of calls below a handler. With recursion each level counts as the largest function. */
long long func_frame_slots(struct gen *g, struct node *body, struct node *condition);
/* Returns the bytes of a frame with SLOTS. Too many: reported, and g->failed is set. */
unsigned func_frame_size(struct gen *g, long long slots);
/* A C function: begin, emit statements through g, write declarations and code. */
void unit_begin(struct gen *g, struct unit *u);
int unit_strings(const struct symbol *params, const struct symbol *locals);
void unit_write(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals);

/* ---- handler.c ---- */
/* The braces and what is between them; the name is the caller's. */
void gen_handler(struct gen *g, struct probe *pr, struct text *ret_body);
/* An arm of the `if` that u->arms_lock is about. */
void gen_locking_arm(struct gen *g, struct node *n);
/* Whether the places of PR are armed and disarmed as its condition says, which then has a separate C function. */
bool gen_has_condition(const struct probe *pr);
void gen_condition(struct gen *g, const struct probe *pr, struct text *ret_body);
bool func_is_embedded(const struct function *f);
const char *func_signature(struct gen *g, const struct function *f, const char *prefix);

/* ---- match.c ---- */
const char *gen_match(struct gen *g, const struct node *n);
/* At the start of a handler: what matched() looks at. */
void gen_match_state(struct gen *g);

/* ---- embed.c ---- */
int embed_frame_slots(const struct gen *g, const struct function *f);
void gen_embedded_stmt(struct gen *g, const struct node *n);
struct value gen_embedded_expr(struct gen *g, const struct node *n);
/* The end of the file: embedded C, "" when the script has none. */
void gen_embedded(struct gen *g, struct text *out);

/* ---- access.c ---- */
struct value gen_access(struct gen *g, const struct node *n);
/* The string in ARRAY, of char, whose address N gives. */
struct value gen_char_array(struct gen *g, const struct node *n, const struct ctype *array);
struct value gen_access_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_enum_name(struct gen *g, const struct node *n);
struct value gen_deref(struct gen *g, const struct node *n);
struct value gen_counter(struct gen *g, const struct node *n);
struct value gen_register(struct gen *g, const struct node *n);

/* ---- stacks.c: user objects ---- */
/* The table of the objects of -d; false: the script takes no stacks of user programs, and no lines of the kernel. */
bool gen_objects(const struct gen *g, struct text *out);
/* Emits the fields of kt_script about them. */
void gen_script_stacks(const struct gen *g, struct text *out);

/* ---- builds.c ---- */
/* Writes the table of modules that the script was compiled with. Returns their number; 0: there is no table. */
int gen_builds(const struct gen *g, struct text *out);

/* ---- texts.c ---- */
/* Finds how long the strings of functions and variables are at most. */
void texts_find_longest(struct program *p, int string_max);
/* Bytes that an array of SIZE elements reserves for each of its strings, on average; 0: it has no strings. */
int text_share(const struct symbol *s, int string_max, long long size);
/* Adds to *LEN the most bytes that the directive D makes of a number, or of a string of STRING bytes. False: unknown. */
bool text_add_directive(const struct kt_directive *d, size_t string, size_t *len);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of pass 3: what each file has for the others. */
#ifndef KTAP_GEN_PARTS_H
#define KTAP_GEN_PARTS_H

#include "translator/gen/state.h"
#include "translator/sema/stat-type.h"

struct kt_directive;
struct kt_map_type;

/* ---- code.c: the C function that is being written ---- */
/* One statement of C. */
void gen_line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An empty line. */
void gen_blank(struct gen *g);
/* A line that opens a block, one that closes it. */
void gen_open(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_close(struct gen *g, const char *s);
/* `next`: to the end of the handler, or to the next overload. */
void gen_next(struct gen *g);
/* NUMBER as C, in which handlers that share a function may differ. */
const char *gen_datum(const struct gen *g, int number);
/* Between these two stands C that sets TO. A shared function sets it to the value that WORD (enum kt_word) describes. */
void gen_region(struct gen *g);
void gen_region_end(struct gen *g, uint64_t word, const char *to);
/* Ends the handler, or the try, if what stands before failed at N. */
void gen_check(struct gen *g, const struct node *n);
/* A value from C text. */
struct value value_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Literal of a number; of a string, cut to what a string of the script holds; of a string as it is. */
const char *c_number(long long v);
const char *c_whole_string(const char *s, size_t len);
const char *c_string(struct gen *g, const char *s, size_t len, size_t *ret_len);
struct value gen_constant(long long number);
/* A fresh temporary of type kt_s64. */
const char *gen_temp(struct gen *g);
/* Code generated from here to gen_try_failed(), which takes the result, may fail without ending the handler. */
const char *gen_try(struct gen *g);
/* Opens the block of what is done when it failed; c->error says why, and is to be set to 0 there. */
void gen_try_failed(struct gen *g, const char *failed);
/* A fresh slot of the frame, as C text. */
const char *gen_slot(struct gen *g);
/* Keeps V in a temporary: C that runs later cannot change it. */
struct value gen_hold(struct gen *g, struct value v, enum type type);
/* From a template of ops.def. */
const char *gen_template(struct gen *g, const struct node *n, const char *a, const char *b, bool *ret_fails);
/* The value of a string literal, with a warning if it is cut. */
struct value gen_literal(struct gen *g, const struct node *n);
/* A fresh temporary that points to the words of a value. */
const char *gen_pointer(struct gen *g);
/* A C function: begin, emit statements through g, write declarations and code. */
void unit_begin(struct gen *g, struct unit *u);
int unit_strings(const struct symbol *params, const struct symbol *locals);
void unit_write(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals);

/* ---- tables.c: texts by number ---- */
/* Returns the number of TEXT, which it adds when it is new. */
int table_add(struct map *t, const char *text);
/* Returns the number of the format TEXT of N. One too many: reported, and g->failed is set. N: NULL for embedded C. */
int gen_format(struct gen *g, const struct node *n, const char *text);
/* Writes S as an element of an array of strings. */
void gen_text_row(struct text *out, const char *s);
/* Number of the error place of a node: "operator '/' at x.stp:1:20". */
int gen_place(struct gen *g, const struct node *n);

/* ---- names.c: names and comments of the script's C file ---- */
/* A C identifier from a script's: keywords and our own prefix get one. */
const char *gen_local_name(const char *name);
/* Returns S as it may stand in a comment, which it neither ends nor begins. */
const char *gen_comment(const char *s);
/* Gives each global and each function its name in C. Private names of several files may be equal: the second is _2_NAME. */
void gen_names(struct gen *g);

/* ---- limits.c: limits of -D ---- */

/* ---- variables.c: variables as C ---- */
/* Does this unit add to the CPU's copy of S? */
bool gen_is_counter(struct gen *g, const struct symbol *s);
/* Returns the C of the global S: a scalar's value, or its storage. */
const char *gen_global(struct gen *g, const struct symbol *s);
/* Returns the C of the scalar S. */
const char *gen_scalar(struct gen *g, const struct symbol *s);
struct value gen_name(struct gen *g, const struct node *n);
/* Sets S to the C TEXT. */
void gen_set_scalar(struct gen *g, const struct symbol *s, const char *text);
/* An array, or a scalar aggregate that is the one element of a map. */
bool gen_is_map(struct gen *g, const struct symbol *s);
/* Returns the C of the array S: &m_hits. */
const char *gen_map(struct gen *g, const struct symbol *s);

/* ---- storage.c: globals: their types and storage ---- */
/* Returns the name of the C constant with the type of the aggregate S. */
const char *stat_type_text(struct gen *g, const struct symbol *s);
/* Writes the storage of all globals, and the functions that make and free it. */
void gen_globals(struct gen *g, struct text *out);

/* ---- memory.c: the memory that arrays take ---- */
/* Adds the memory of the array S, of type T, to those of the program. */
void memory_note(struct program *p, const struct symbol *s, const struct kt_map_type *t);
/* The sum, as members of struct kt_script. */
void memory_write_sum(const struct program *p, struct text *out);
/* The largest arrays, in a section that the loader reads without loading the module. */
void memory_write_largest(const struct program *p, struct text *out);

/* ---- order.c: the order in which operands run ---- */
/* N siblings, left to right; what a later one may change is kept in a temporary. */
void gen_list(struct gen *g, struct node *const *kids, int n, struct value *ret);
/* Which variables N reads and writes, as a set of these. */
enum { TOUCH_READ_LOCAL = 1, TOUCH_READ_GLOBAL = 2, TOUCH_WRITE_LOCAL = 4, TOUCH_WRITE_GLOBAL = 8 };
unsigned node_touches(const struct gen *g, const struct node *n);

/* ---- call.c: calls of functions, and their prototypes ---- */
/* Has F a body of embedded C? */
bool func_is_embedded(const struct function *f);
/* Returns the prototype of F without its storage class; its name begins with PREFIX. */
const char *func_signature(struct gen *g, const struct function *f, const char *prefix);
/* Writes the prototypes of F, a function of the kit. */
void gen_kit_prototypes(struct gen *g, const struct function *f, struct text *out);
/* The C that calls F with N arguments; RET: where its string goes. */
const char *gen_call_text(struct gen *g, const struct function *f, const char *ret, const char *const *args, int n);
/* The call N; a result that is not WANTED is not kept. */
struct value gen_call(struct gen *g, const struct node *n, bool wanted);
/* Whether N is a call whose string comes with its hash: gen_hashed() evaluates it to a struct kt_hashed, which is valid until the next
 * call of such a function. */
bool gen_is_hashed(const struct gen *g, const struct node *n);
struct value gen_hashed(struct gen *g, const struct node *n);

/* ---- counting.c: what counts statements for the action budget ---- */
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

/* ---- access.c: target values ---- */
struct value gen_access(struct gen *g, const struct node *n);
/* The string in ARRAY, of char, whose address N gives. */
struct value gen_char_array(struct gen *g, const struct node *n, const struct ctype *array);
struct value gen_access_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_enum_name(struct gen *g, const struct node *n);
struct value gen_deref(struct gen *g, const struct node *n);
struct value gen_counter(struct gen *g, const struct node *n);
struct value gen_register(struct gen *g, const struct node *n);

/* ---- array.c: elements of arrays ---- */
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

/* ---- assign.c: assignments ---- */
struct value gen_assign(struct gen *g, const struct node *n, bool wanted);
struct value gen_incdec(struct gen *g, const struct node *n, bool wanted);

/* ---- stat.c: aggregates: s <<< v and the @-operators ---- */
/* s <<< v of a scalar. */
void gen_stat_add(struct gen *g, const struct node *n);
/* Words of the aggregate that an operator is applied to. */
const char *gen_stat_words(struct gen *g, const struct node *operand);
struct value gen_stat(struct gen *g, const struct node *n);
/* An element of a histogram: @hist_log(s)[i]. */
struct value gen_bucket(struct gen *g, const struct node *n);
/* i in @hist_log(s) */
struct value gen_has_bucket(struct gen *g, const struct node *n);

/* ---- match.c: regular expressions in a handler ---- */
const char *gen_match(struct gen *g, const struct node *n);
/* At the start of a handler: what matched() looks at. */
void gen_match_state(struct gen *g);

/* ---- print.c: the print family ---- */
struct value gen_print(struct gen *g, const struct node *n);

/* ---- embed.c: embedded C ---- */
int embed_frame_slots(const struct gen *g, const struct function *f);
/* The end of the file: embedded C, "" when the script has none. */
void gen_embedded(struct gen *g, struct text *out);
void gen_embedded_stmt(struct gen *g, const struct node *n);
struct value gen_embedded_expr(struct gen *g, const struct node *n);

/* ---- expr.c: expressions ---- */
/* As a C truth value. */
const char *gen_cond(struct gen *g, const struct node *n);
/* The value of N: see gen_expr(). */
struct value expr_value(struct gen *g, const struct node *n);
/* Runs it, drops the value. */
void gen_effect(struct gen *g, const struct node *n);

/* ---- foreach.c: foreach ---- */
void gen_foreach(struct gen *g, const struct node *n);

/* ---- stmt.c: statements ---- */
void gen_stmts(struct gen *g, const struct node *list);
/* Emits N: see gen_stmt(). */
void stmt_emit(struct gen *g, const struct node *n);

/* ---- func.c: script functions, and the space that calls need ---- */
void gen_function(struct gen *g, struct function *f, struct text *ret_proto, struct text *ret_body);
/* Returns the slots of the deepest chain of calls below a handler. With recursion each level counts as the largest function. */
long long func_frame_slots(struct gen *g, struct node *body, struct node *condition);
/* Returns the bytes of a frame with SLOTS. Too many: reported, and g->failed is set. */
unsigned func_frame_size(struct gen *g, long long slots);
/* Do the handler with BODY and CONDITION, or functions that it calls, work on whole arrays? */
bool func_visits(struct gen *g, struct node *body, struct node *condition);
void func_analyse(struct gen *g);

/* ---- handler.c: handlers and conditions ---- */
/* Whether the places of PR are armed and disarmed as its condition says, which then has a separate C function. */
bool gen_has_condition(const struct probe *pr);
void gen_condition(struct gen *g, const struct probe *pr, struct text *ret_body);
/* The braces and what is between them; the name is the caller's. */
void gen_handler(struct gen *g, struct probe *pr, struct text *ret_body);

/* ---- stacks.c: objects of user programs for stacks ---- */
/* The table of the objects of -d; false: the script takes no stacks of user programs, and no lines of the kernel. */
bool gen_objects(const struct gen *g, struct text *out);
/* Emits the fields of kt_script about them. */
void gen_script_stacks(const struct gen *g, struct text *out);

/* ---- builds.c: modules that the script was compiled with ---- */
/* Writes the table of modules that the script was compiled with. Returns their number; 0: there is no table. */
int gen_builds(const struct gen *g, struct text *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The syntax tree, and the program that all passes work on.
 *
 * One node type serves expressions and statements; nodes.def says which members each kind uses. So cloning,
 * walking and printing are one loop each. Everything is allocated in program_arena. Names are interned: compare
 * pointers. Passes take `struct program *`; what a pass adds is marked "after PASS".
 */
#ifndef KTAP_SYNTAX_AST_H
#define KTAP_SYNTAX_AST_H

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/map.h"
#include "translator/platform/settings.h"

enum node_kind {
#define NODE(kind, name, class, live) ND_##kind,
#include "translator/syntax/nodes.def"
#undef NODE
	ND_COUNT
};

enum op {
	OP_NONE,
#define OP(id, lexeme, level, operands, result, tmpl) OP_##id,
#include "translator/syntax/ops.def"
#undef OP
	OP_COUNT_ /* number of operators */
};

struct op_info {
	const char *lexeme;
	int level;        /* precedence, 0 = not infix */
	char operands;    /* 'L' 'S' 'T' 'A' */
	char result;
	const char *tmpl; /* C template or NULL */
};
extern const struct op_info op_info[];

enum type {
	TY_UNKNOWN, /* not inferred yet; a function of this type returns nothing */
	TY_LONG,
	TY_STRING,
	TY_STAT,    /* aggregate: globals and array values only */
};

struct node {
	enum node_kind kind;
	enum op op;
	enum type type;        /* after infer: of the value */
	struct loc loc;
	struct node *next;     /* in the list of the parent */
	struct node *kid[4];
	struct node *list;     /* first of a chain through ->next */
	const char *name;      /* interned */
	const char *text;      /* arena copy; text_len bytes, NUL after them */
	const char *text2;
	size_t text_len;
	long long num;
	unsigned char pretty;  /* trailing $ (1) or $$ (2) */
	bool user;             /* @uregister, @uderef */
	unsigned short height; /* of the tree from here down: the parser bounds it, so that passes may recurse */
	bool or_error;         /* ND_PRINT of OP_SPRINTF with one text: "ERROR" where its value cannot be read */
	bool own;              /* ND_CALL: the translator's own, of any function of the library */
	bool absent;           /* after expand: a branch with values that its place lacks: autocast.c drops or reports it */
	bool paren;            /* was parenthesised: `(a)[0]` is a subscript, not an array index */
	struct foreach *foreach; /* ND_FOREACH */
	struct symbol *sym;    /* after resolve: ND_NAME: the local or global it names */
	struct function *func; /* after resolve: ND_CALL: first overload; the others through func->overload */
	const struct ctype *points_to; /* after expand: what the value is the address of, where a pass knows better than the node */
	struct access *access; /* after expand: target values: how to compute them (probe/access.h) */
};

enum sort_dir { SORT_NONE, SORT_UP, SORT_DOWN };

/* foreach ([value =] [k1+, k2] in array[slice] @op-) */
struct foreach {
	struct node *value;    /* ND_NAME of `v = ...`, or NULL */
	struct node *keys;     /* list of ND_NAME */
	struct node *slice;    /* list of expressions and ND_STAR, or NULL */
	int sort_by;           /* 0 value (or array: `in a-`), 1.. key number; -1 unsorted */
	enum sort_dir dir;
	enum op sort_op;       /* OP_COUNT ... for `in a @sum -`, else OP_NONE */
	struct loc sort_loc;
};

/* A local, a parameter or a global. */
struct symbol {
	const char *name;      /* as in the script */
	struct loc loc;
	enum type type;        /* of the variable, or of the array's values */
	struct loc type_loc;   /* after infer: where the type came from */
	bool global;
	bool is_private;
	bool array;            /* after resolve: it is indexed, or declared with a size */
	bool wrap;             /* % in the declaration */
	long long size;        /* [N], 0 = default */
	struct node *init;     /* literal or NULL */
	int arity;             /* after resolve: number of keys, 0 for a scalar */
	struct loc arity_loc;
	enum type key_type[9]; /* after infer */
	struct loc key_loc[9];
	const struct source *file; /* scope of a private name */
	bool param;            /* a parameter of the function */
	bool read, written;    /* after resolve: anywhere in the program */
	unsigned stat_ops;     /* after infer: bit per @-operator applied: 1u << (op - OP_COUNT) */
	struct node *hist;     /* after infer: the ND_HIST that fixes the histogram's parameters */
	bool full_bars;        /* after autoprint: its histogram is only printed at the end, in ktap's form */
	int stat_shift;        /* @variance */
	const struct ctype *points_to; /* after autocast: what its values are addresses of; NULL: unknown, or of several types */
	struct loc points_loc;
	bool points_clash;     /* of several types */
	bool in_c;             /* embedded C may write it */
	int longest;           /* after sema/texts.c: bytes of its strings, or of an array's values, at most; see there */
	int longest_key[9];    /* likewise of an array's keys */
	int plan;              /* after plan: enum plan in gen/plan.h */
	int index;             /* after gen numbering */
	struct symbol *next;
};

struct function {
	const char *name;
	struct loc loc;
	enum type type;           /* declared or inferred; TY_UNKNOWN: returns nothing */
	struct loc type_loc;
	bool type_declared;
	const struct ctype *points_to; /* after autocast: as in struct symbol, of what it returns */
	struct loc points_loc;
	bool points_clash;
	int longest;              /* bytes of the strings that it returns, at most; with a body: after sema/texts.c; 0: unknown */
	const char *longest_param; /* of a kit function: its parameter that is this bound */
	struct symbol *params;    /* list */
	int n_params;
	struct symbol *locals;    /* after resolve; without parameters */
	struct node *body;        /* ND_BLOCK, or NULL for an embedded C body */
	const char *c_body;       /* text between %{ and %}, or NULL */
	bool kit;                 /* c_body is a kit binding: the runtime's kt_fn_KIT_NAME implements it */
	const char *kit_name;     /* of the comment `kit NAME`, else the function's own name */
	bool is_private;
	bool pure;                /* no side effect: may be removed */
	int named;                /* enum kt_name_kind: only printing needs the text; the argument is an address */
	bool hashed;              /* the runtime's kt_hashed_KIT_NAME returns its string with the hash, as a key */
	bool guru;                /* scripts may call it with -g only */
	bool stable;              /* the same value all through a handler, and cannot fail */
	int priority;             /* 0 highest: user default; 1: tapset default */
	const struct source *file;
	bool resolved;            /* after resolve: its names are; false: a library function nobody calls */
	bool used;                /* after resolve: a probe may call it */
	bool recursive;           /* after resolve */
	bool side_effects;        /* after check */
	bool placed;              /* after expand: uses $variables, itself or by what it calls: each probe has a copy */
	struct probe *probe;      /* of a copy: the probe whose variables it means */
	struct function *copies;  /* of a function that is placed, linked by ->copies */
	const char *c_name;       /* after gen: of its C function */
	struct function *overload; /* after resolve: the next to try when this one says `next` */
	bool hidden;              /* an overload before it never says `next` */
	int index;
	struct function *next;
};

struct object_path {
	const char *path;
	struct object_path *next;
};

/* A module of the kernel whose debugging information the script was compiled with. */
struct module_build {
	const char *name;
	const char *build_id;
	const char *file;         /* the path that the script names it by; NULL: it is installed */
	bool cast;                /* memory that its probes and variables do not lead to is read with its types */
	struct module_build *next;
};

/* One component of a probe point as written: name, optionally with one literal argument. */
struct component {
	const char *name;         /* may hold * and ** */
	struct node *arg;         /* ND_NUM, ND_STR or NULL */
	struct loc loc;
	struct component *next;
};

struct probe_point {
	struct component *parts;
	bool optional;            /* ? or ! */
	bool sufficient;          /* ! */
	bool variant;             /* one of several that a wildcard stands for: it need not match */
	struct node *condition;   /* if (...) or NULL */
	struct loc loc;
	struct probe_point *next;
};

/* `probe pp, pp { body }` as written */
struct probe_def {
	struct probe_point *points;
	struct node *body;        /* ND_BLOCK */
	struct loc loc;
	const struct source *file;
	bool expanded;            /* after expand: its probes are in program->probes */
	bool synthetic;           /* made by ktap: automatic printing of globals */
	struct probe_def *next;
};

/* `probe NAME = pp { prologue }, { epilogue }` or `probe NAME += pp { epilogue }` */
struct alias {
	struct component *name;
	struct probe_point *points;
	struct node *prologue;    /* ND_BLOCK or NULL */
	struct node *epilogue;
	bool append;              /* += as written */
	struct loc loc;
	const struct source *file;
	struct alias *next;
};

struct embedded_c {
	const char *text;
	struct loc loc;
	struct embedded_c *next;
};

struct ctype;
struct file_search;
struct opened;
struct parse_options;
struct place;
struct target;
struct probe; /* a resolved probe: probe/probe.h */

/* A place that a probe point means and that cannot be probed. */
struct left_out {
	const char *what, *why;
	struct left_out *next;
};

/* What an array's memory is, after gen. */
struct array_memory {
	const char *name;
	long long entries;
	unsigned long long bytes, per_cpu; /* once, and for each CPU */
	struct array_memory *next;
};

/* Warnings that are not given again. */
struct warned {
	bool python_is_silent;            /* probe/python.c */
	struct loc namesakes;             /* probe/named.c: the last cast to a type that has namesakes, */
	const struct place *namesakes_at; /* and the place of its probe */
};

struct program {
	struct platform platform;     /* of the command line, as are the next four */
	struct language language;
	struct output output;
	struct session session;
	struct build_settings build;
	struct reports *reports;      /* where errors and warnings go; NULL: to those of the process */
	const struct parse_options *parse; /* how the script was parsed: tapset files are parsed the same way */
	struct source *sources;
	const char *sha256;           /* of the script's texts; NULL before they are parsed */
	const char *texts;            /* these texts, one after the other */
	struct embedded_c *embedded;
	struct symbol *globals;       /* in order of declaration */
	struct function *functions;
	struct alias *aliases;
	struct probe_def *probe_defs; /* after parse */
	struct probe *probes;         /* after expand, in order */
	int points;                   /* that expand has looked at: MAXPOINTS bounds them */
	bool full;                    /* they reached it, which was reported */
	struct loc current;           /* what expand or a later pass works on, for a message about a bound */
	struct left_out *left_out;    /* what expand could not take, the last first */
	struct map macros;            /* of .stpm files: struct macro of syntax/preprocess.c by name */
	struct function_names *function_names; /* sema/functions.c: found by name */
	bool placed_known;            /* after expand: functions have their `placed` */
	struct function **call_order; /* after resolve: resolved functions, callees before callers; NULL at the end */
	struct tapset *tapset;        /* sema/tapset.h: the libraries, NULL before tapset_index() */
	struct opened *opened;        /* see context_opened() */
	struct target *kernel;        /* opened on first use; see debuginfo/target.h */
	bool no_kernel;               /* lookup failed and was reported */
	int max_nesting;              /* after gen: how deep functions' calls go below a handler */
	struct array_memory *arrays;  /* after gen: the largest first */
	struct object_path *objects;  /* files of programs whose variables are read in whatever process runs */
	struct module_build *modules; /* of the kernel, whose variables or types are used */
	struct kept *kept;            /* sema/kept.c: values of functions' entries, the last first */
	struct file_search *file_search; /* probe/process-file.c; NULL: no point named a program */
	struct warned warned;
	bool user_stacks;             /* which calls led to a place of a program is asked of its stack */
};

/* Returns the reports of P. */
struct reports *program_reports(const struct program *p);
/* Returns an empty program with the settings, the reports and the open files of P. */
struct program program_like(const struct program *p);

/* Constructors: the parser's actions are single calls of these. */
struct node *node_new(enum node_kind kind, struct loc loc);
/* A literal. */
struct node *node_number(struct loc loc, long long v);
/* A call without arguments that no script wrote: also of what scripts cannot call. */
struct node *node_own_call(const char *name, struct loc loc);
struct node *node_clone(const struct node *n); /* deep; drops what passes added */
/* Calls FN for N and every node below it, parents first. FN returns false to skip the kids. */
void node_walk(struct node *n, bool (*fn)(struct node *n, void *data), void *data);
/* Returns the place where the text of a value begins; the place of a member or an element is that of its last name. */
struct loc node_start(const struct node *n);
const char *node_kind_name(enum node_kind kind);

struct text;
/* Canonical source: parses back to the same tree. */
void ast_print(struct text *t, const struct program *p);
void ast_print_node(struct text *t, const struct node *n);
void ast_print_components(struct text *t, const struct component *c); /* kernel.function("x").return */
void ast_print_point(struct text *t, const struct probe_point *pp);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of pass 3 for the second vehicle, and how an expression becomes instructions.
 *
 * A long is computed into R0. A string is somewhere in memory: whoever needs it gets its address by str_address(). R1 to R5 are free between
 * two instructions of an expression, and nothing lives in them across a call. R6 is the context that the kernel gave, R7 the frame: a part of a
 * map with the variables of the handler and of all functions below it, since no function may call itself. What an expression keeps is on
 * the stack, eight bytes a piece. Nothing that a loop changes is on the stack: 6.1 verifies the body of a loop once, and takes what it finds
 * there the first time for the truth.
 *
 * What fails stores what and where in the frame and jumps to u->fail. In a function and in the body of a loop, which is a function, that
 * returns to the caller, which looks.
 */
#ifndef KTAP_BPF_STATE_H
#define KTAP_BPF_STATE_H

#include "lib/map.h"
#include "lib/text.h"
#include "translator/bpf/asm.h"
#include "translator/sema/limits.h"
#include "translator/machine/location.h"
#include "translator/sema/plan.h"
#include "translator/syntax/ast.h"

enum { FRAME_REGISTER = R7, CONTEXT_REGISTER = R6 };
/* The stack, from its end: what the body of a loop is given. Temporaries follow. */
enum { STACK_CONTEXT = -16, STACK_FRAME = -8, STACK_RESERVED = 16, STACK_MAX = 400 };
enum { FRAME_TEXT = sizeof(struct image_frame) }; /* where the message of error() is, in the programs that may have one */
#define BPF_SESSION "ktap_bpf"
/* Bytes of a frame: in the kernel, where each CPU has several, what an instruction reaches; in ktaprun. */
enum { FRAME_MAX = 32000, COLD_FRAME_MAX = 1 << 20 };

enum string_where {
	STRING_CONSTANT, /* at `at` in MAP_CONSTANTS */
	STRING_FRAME,
	STRING_PADDED,   /* in the frame; the bytes after its NUL are zeroes, as a constant's are */
	STRING_GLOBAL,   /* in MAP_STATE */
};

/* Where a string is. */
struct string {
	enum string_where where;
	unsigned at;
	unsigned size;   /* bytes there, a multiple of 8: the string, its NUL, and undefined ones */
	size_t len;      /* of a constant */
};

/* How a statement is left where it cannot go on. */
enum leaving { LEAVE_NOT, LEAVE_LOOP, LEAVE_FAIL, LEAVE_NEXT, LEAVE_RETURN };

/* A function or the body of a loop that is still to be written into the program. */
struct pending {
	bpf_label label;
	struct function *func;  /* NULL: the loop */
	const struct node *loop;
	struct function *within; /* the function whose loop it is; NULL: the handler's */
	struct pending *next;
};

/* Where a local, a parameter or a result is in the frame. */
struct local {
	const void *of;
	unsigned at, size;
};

/* What a handler at the entry of a function keeps for that at the return. */
struct kept {
	int map;                 /* 0: nothing is kept */
	unsigned slots;          /* numbers */
	unsigned room;           /* words, with those of the strings */
};

/* The emission of one program. */
struct unit {
	struct bpf_code code;
	const struct probe *probe;
	const struct probe_attach *attach;
	bool cold;               /* ktaprun runs it */
	bool plain;              /* the handler keeps nothing in a frame, and takes none */
	bool sleeps;             /* it waits for memory of the program */
	struct kept kept;
	unsigned kept_at;        /* in the frame */
	unsigned frame;          /* bytes of the frame in use */
	struct local *locals;
	size_t n_locals;
	struct pending *pending; /* not yet written */
	struct map functions;    /* those that are called, by name; the value is the label + 1 */
	bpf_label fail;          /* of the function that is being written */
	bpf_label leave;         /* `next` */
	bpf_label done;          /* the end of the function */
	bpf_label again, out;    /* continue and break of the innermost loop; -1: there is none */
	struct function *func;   /* that is being written; NULL: the handler */
	unsigned stack;          /* bytes of temporaries in use */
	struct string *free;     /* strings of the frame that are free again */
	size_t n_free;
	struct string *used;     /* by the statement */
	size_t n_used;
};

struct bpf {
	struct program *p;
	/* What computes and writes nodes of any kind, for the files of the kinds, which are below: see bpf_long(). */
	void (*number)(struct bpf *b, const struct node *n);
	struct string (*string)(struct bpf *b, const struct node *n);
	void (*statement)(struct bpf *b, const struct node *n);
	struct plan_state plan;
	struct map formats, places, natives;
	struct map texts;         /* the value is the offset */
	struct text text;
	struct text constants;    /* MAP_CONSTANTS */
	struct map strings;       /* constants by text, and with number 1 regular expressions; the value is the offset + 1 */
	struct text state;        /* MAP_STATE */
	unsigned *global_at;      /* by symbol->index: in MAP_STATE */
	unsigned *copy_at;        /* likewise, of a counter's copy of the first CPU; 0: it has none */
	unsigned *lock_at;        /* in MAP_STATE */
	int *array;               /* number in IMAGE_ARRAYS; -1: no array */
	unsigned cpu_size, half_size;
	unsigned hits_at;         /* in MAP_STATE: the first CPU's counts of hits */
	unsigned losses_at;       /* in MAP_STATE: a struct image_losses for each probe */
	int *stat;                /* by symbol->index: number in IMAGE_STATS; -1: no aggregate */
	struct image_stat *stats;
	size_t n_stats;
	unsigned errnos;          /* in MAP_CONSTANTS: the names of errors, + 1; 0: they are not there */
	unsigned zeroes;          /* in MAP_CONSTANTS: as many as the largest aggregate has bytes */
	struct loc *place_locs;
	int string_max;
	struct limits limits;
	bool raises;              /* the script calls error() */
	kt_u32 targets;           /* image_settings.targets */
	struct kept kept;         /* of the last return probe */
	struct image_array *arrays;
	size_t n_arrays;
	struct image_map *maps;
	size_t n_maps;
	unsigned frame_size, cold_frame_size; /* the largest, in the kernel and in ktaprun */
	struct unit *u;
	bool failed;
};

/* ---- code.c ---- */
/* Refuses N, of which WHAT the second vehicle cannot do. */
void bpf_refuse(struct bpf *b, const struct node *n, const char *what);
/* Offset of S in the texts of the image. */
kt_u32 bpf_text(struct bpf *b, const char *s);
unsigned bpf_place_of(struct bpf *b, const struct node *n);
/* Ends the handler or the innermost `try` with ERROR. DETAIL: its detail is in R1. */
void bpf_fail(struct bpf *b, const struct node *n, enum image_error error, bool detail);
/* After a native that may raise an error, of which the frame then has all but the place. */
void bpf_check_native(struct bpf *b, const struct node *n);
/* Number of the format TEXT. */
int bpf_format(struct bpf *b, const char *text);
/* Where the struct image_losses of the probe is, in MAP_STATE. */
unsigned bpf_losses(const struct bpf *b);
/* Adds one to a loss of the probe: AT, an offset in struct image_losses. R1 and R2 are used. */
void bpf_lose(struct bpf *b, size_t at);
/* SIZE bytes of the frame. */
unsigned bpf_frame(struct bpf *b, unsigned size);
/* Keeps N bytes in MAP_CONSTANTS. Returns where. */
unsigned bpf_constant(struct bpf *b, const void *bytes, size_t n);
/* The place in the frame of a local, a parameter or a function's result (of OF, with SIZE bytes). */
unsigned bpf_local(struct bpf *b, const void *of, unsigned size);
/* Keeps R0 on the stack, at the offset that is returned; and takes that back, the last first. */
int bpf_push(struct bpf *b, const struct node *n);
void bpf_pop(struct bpf *b, unsigned to, int at);
/* Sets TO to the address of S. */
void str_address(struct bpf *b, unsigned to, struct string s);
struct string str_constant(struct bpf *b, const char *text, size_t len);
/* The literal N; a warning if it is cut. */
struct string str_literal(struct bpf *b, const struct node *n);
/* The same of a format, which may be longer than a string of the script. */
struct string str_format(struct bpf *b, const char *text, size_t len);
/* Space for a string, until the statement ends. */
struct string str_new(struct bpf *b, unsigned size);
void str_release(struct bpf *b);
/* Copies FROM to TO: cut if it does not fit. */
void str_copy(struct bpf *b, struct string to, struct string from);
/* The same; R0 becomes the bytes that were copied, with the NUL. */
void str_copy_counted(struct bpf *b, struct string to, struct string from);
/* The length of S into R0. */
void str_length(struct bpf *b, struct string s);
/* Bytes of the strings that S can hold. */
unsigned str_size(const struct bpf *b, const struct symbol *s);

/* Computes N into R0. */
static inline void bpf_long(struct bpf *b, const struct node *n) { b->number(b, n); }
/* The string N. */
static inline struct string bpf_string(struct bpf *b, const struct node *n) { return b->string(b, n); }
static inline void bpf_statement(struct bpf *b, const struct node *n) { b->statement(b, n); }

/* ---- values.c ---- */
/* Where the string variable S is. */
struct string bpf_variable(struct bpf *b, const struct symbol *s);
/* The long S into TO; R0 into S. */
void bpf_load_long(struct bpf *b, const struct symbol *s, unsigned to);
void bpf_store_long(struct bpf *b, const struct symbol *s);
/* The same, which MORE, evaluated after it, does not change. MORE may be a list or NULL. */
struct string bpf_string_kept(struct bpf *b, const struct node *n, const struct node *more);
/* LEFT . RIGHT. */
struct string bpf_join(struct bpf *b, struct string left, struct string right);
/* Applies the operator of N to R0 and R1: into R0. */
void bpf_apply(struct bpf *b, const struct node *n);

/* ---- expr.c ---- */
/* Sets what bpf_long() and bpf_string() do. */
void bpf_expressions(struct bpf *b);
/* Jumps to TO if N is WHEN. */
void bpf_branch(struct bpf *b, const struct node *n, bool when, bpf_label to);
/* Executes N for its effect. */
void bpf_effect(struct bpf *b, const struct node *n);

/* ---- match.c ---- */
/* =~ and !~. */
void bpf_match(struct bpf *b, const struct node *n);

/* ---- array.c: keys ---- */
/* Writes the keys of LIST, of the array S, into the frame. Returns where. */
unsigned bpf_key(struct bpf *b, const struct symbol *s, const struct node *list, const struct node *n);

/* ---- stat.c: aggregates ---- */
/* The type, words and copies of S. */
void bpf_lay_out_stat(struct bpf *b, const struct symbol *s);
void bpf_stat(struct bpf *b, const struct node *n);
void bpf_stat_add(struct bpf *b, const struct node *n);
void bpf_stat_clear(struct bpf *b, const struct symbol *s, const struct node *n);
/* @hist_log(s)[i] and i in @hist_log(s). */
void bpf_bucket(struct bpf *b, const struct node *n);
/* print(@hist_log(s)), and sprint(). */
void bpf_print_hist(struct bpf *b, const struct node *n);
struct string bpf_sprint_hist(struct bpf *b, const struct node *n);
/* foreach over the buckets of a histogram. */
void bpf_foreach_bucket(struct bpf *b, const struct node *n);
/* ---- location.c ---- */
/* Computes what L says into R0: an address or a value, of which SIZE bytes count where it is in pieces. */
void bpf_location(struct bpf *b, const struct node *n, const struct location *l, uint64_t size, bool user);
/* The register with this DWARF number into R0. */
void bpf_register_value(struct bpf *b, const struct node *n, unsigned number);

/* ---- entry.c ---- */
enum { BPF_CALL_NAME_SIZE = 16 };
unsigned bpf_kept_size(const struct kept *k);
/* Begins what is kept of a call; at its return goes to NONE if nothing was. */
void bpf_kept_begin(struct bpf *b, bpf_label none);
/* Keeps it. */
void bpf_kept_end(struct bpf *b);
void bpf_entry_save(struct bpf *b, const struct node *n);
void bpf_entry_save_text(struct bpf *b, const struct node *n);
void bpf_entry_value(struct bpf *b, const struct node *n);
struct string bpf_entry_text(struct bpf *b, const struct node *n);

/* ---- access.c, array.c, call.c, library.c, print.c, stmt.c ---- */
/* Is N, which reads memory, of the kernel if not USER, in a handler of ktaprun? It is refused, or, in a function of the library, which may
 * read it in some cases alone, ends the handler. */
bool bpf_cannot_read(struct bpf *b, const struct node *n, bool user);
/* Replaces the address in R0 by the number of SIZE bytes there: 1, 2, 4 or 8. */
void bpf_read(struct bpf *b, const struct node *n, unsigned size, bool user);
void bpf_access(struct bpf *b, const struct node *n);
void bpf_element(struct bpf *b, const struct node *n);
struct string bpf_element_string(struct bpf *b, const struct node *n);
void bpf_element_assign(struct bpf *b, const struct node *n, bool wanted);
struct string bpf_element_assign_string(struct bpf *b, const struct node *n);
void bpf_in(struct bpf *b, const struct node *n);
void bpf_delete(struct bpf *b, const struct node *n);
void bpf_foreach(struct bpf *b, const struct node *n);
void bpf_call_long(struct bpf *b, const struct node *n);
struct string bpf_call_string(struct bpf *b, const struct node *n);
void bpf_print(struct bpf *b, const struct node *n);
/* The kernel's symbol at the address N, at a hit. */
struct string bpf_symbol(struct bpf *b, const struct node *n);
/* Sends a record of KIND (enum kt_record_kind) with S. */
void bpf_send_string(struct bpf *b, struct string s, int kind);
struct string bpf_sprint(struct bpf *b, const struct node *n);
/* Sets what bpf_statement() does. */
void bpf_statements(struct bpf *b);
/* The same at a hit: the call N, which was read into PR. */
struct printed;
struct string bpf_sprint_at_hit(struct bpf *b, const struct node *n, const struct printed *pr);
/* Sets the locals of LIST to 0 and "". */
void bpf_begin_locals(struct bpf *b, const struct symbol *list);
/* Keeps the arguments of F for the next overload, where there is one. */
void bpf_keep_arguments(struct bpf *b, const struct function *f);
/* `next` in F: calls the next overload with its arguments. */
void bpf_decline(struct bpf *b, const struct function *f);
/* The string that F returns. */
struct string bpf_result(struct bpf *b, const struct function *f);
/* `catch (VARIABLE)` of N: sets the variable to the error's message. */
void bpf_message(struct bpf *b, const struct node *n);
/* Writes the functions and bodies of loops that are pending. */
void bpf_write_pending(struct bpf *b);

#endif

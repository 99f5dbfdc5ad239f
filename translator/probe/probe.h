/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probe families: what a probe point means.
 *
 * A family is one file in this directory that ends in one `const struct probe_family`. To add one:
 *   - the file, its row in runtime/families.def, its row struct in runtime/abi.h;
 *   - its kernel half in runtime/kit/, its user half in runtime/user/ where a process can have it;
 *   - a section in man/ktap-probes.5, tests in testsuite/run-vm (or run-user).
 * A hook that does not apply is NULL.
 */
#ifndef KTAP_PROBE_PROBE_H
#define KTAP_PROBE_PROBE_H

#include <stdint.h>

#include "lib/text.h"
#include "runtime/bpf/image.h"
#include "translator/syntax/ast.h"

struct probe_family;
struct entry_values;

/* A resolved probe: one body at one place. Bodies without target variables are shared by many places. */
struct probe {
	const struct probe_family *family;
	const struct probe_def *def;    /* as written, or the synthetic one */
	struct probe_point *point;      /* the point that resolved, aliases expanded */
	struct probe_point *written;    /* the point as in the script */
	const char *alias_chain;        /* "syscall.open, kernel.function(...)" or NULL */
	const char *pp;                 /* what pp() returns: a pasteable point naming this place alone */
	struct node *body;              /* after expand: prologues, body, epilogues; own copy if place-dependent */
	struct node *condition;
	struct symbol *locals;          /* after resolve */
	bool resolved;                  /* after resolve */
	void *data;                     /* the family's own */
	bool visits;                    /* after gen: its handler works on whole arrays */
	bool bpf;                       /* for a BPF program, not for a module */
	bool helper;                    /* a family made it, and its body, for the probe before it */
	int index;                      /* position in kt_script.probes */
	struct handler_variant *variant; /* during gen: its handler */
	const char *light;              /* during gen: what its handler adds, see gen/handler.c */
	int handler;                    /* after gen: number of the C function; handlers that differ only in data share one */
	struct probe *next;
};

/* How the second vehicle attaches a probe. */
struct probe_attach {
	enum image_kind kind;
	int how;                /* of the family: enum kt_life, enum kt_kprobe_kind, the event's type */
	const char *symbol;     /* a function, a tracepoint, or the path of a file */
	uint64_t address;       /* as linked, or an offset in the file, or an event's configuration */
	uint64_t linked;        /* of a place in a file: its address as linked */
	uint64_t code;          /* what the file must hold there, the first byte lowest */
	unsigned code_size;     /* bytes of it */
	uint64_t offset;        /* from the symbol */
	uint64_t interval, random; /* ns; of an event, how many of them */
	unsigned rate;          /* of an event: how often a second, and no interval */
	int64_t priority;
	uint64_t semaphore;
	int pid;
	bool absent;            /* it is never attached */
	const struct entry_values *entry; /* what is kept of a call until this return; NULL: nothing */
	unsigned above;         /* with it: bytes that the stack pointer has moved from the function's entry to this place */
	const char *refused;    /* what of the probe cannot be done; NULL: the probe */
	const struct probe_attach *next; /* another place of the same probe, of the same kind */
};

/* One form of a point: "kernel.function(string).return.maxactive(number)". The n-th argument of the point is
 * component i's arg. id is the family's own. */
struct probe_pattern {
	const char *text;
	int id;
};

struct resolve {
	struct program *program;
	const struct probe_def *def;
	struct probe_point *point;
	struct probe_point *written;
	const char *alias_chain;
	const struct probe_pattern *pattern;
	struct node *body;
	int found;              /* probes made so far */
	struct probe *first, *last; /* them, in order */
};

struct context_place;

struct probe_family {
	const char *name;                    /* "timer" */
	enum kt_family id;
	const struct probe_pattern *patterns; /* ends with {NULL} */
	bool user_runtime;                   /* exists in --runtime=user */
	bool in_programs;                    /* probes may be hit while a program runs in user mode */
	/* Makes the probes of one point with probe_add(). No match: returns true, found stays; the caller reports
	 * NO_MATCH unless the point is optional. False: an error was reported. */
	bool (*resolve)(struct resolve *r);
	/* probe->data begins with a struct context_place, where @cast, @var and @enum look. False: they look in the kernel. */
	bool has_context;
	/* Body depends on the place: each probe gets its own copy before this is called for each target value node
	 * (TARGET, and ARROW, SUBSCRIPT, ADDRESS on one, outermost first; ENTRY). Sets n->access, or replaces *np by another
	 * expression; false: error reported. ASKED: @defined() wants to know only whether it can, on a copy of the node, with
	 * messages dropped; nothing is added to the program. NULL: family has no variables. */
	bool (*variable)(struct program *p, struct probe *pr, struct node **np, bool asked);
	/* Called for each assignment (ND_ASSIGN, ND_INCDEC) to a target value, before `variable` is for its parts: replaces *np by
	 * what does it. False: error reported. NULL: such assignments are the program's memory. */
	bool (*assign)(struct program *p, struct probe *pr, struct node **np);
	/* Called before emit_row: sets what depends on several probes of the family, in the order of their rows. NULL: nothing does. */
	void (*lay_out)(const struct probe *const *rows, size_t n);
	/* Returns this probe's bits of kt_family_rows.wants. NULL: there are none. */
	unsigned long long (*wants)(const struct probe *pr);
	/* Writes, unless it is a helper, the initialiser of the family's row struct for this probe: "{ .probe = 3, ... }". Texts: emit_row_text(). */
	void (*emit_row)(struct text *t, const struct probe *pr);
	/* The same for a BPF program; false: one cannot be attached there. NULL: to no probe of the family. */
	bool (*attach)(const struct probe *pr, struct probe_attach *ret);
	/* Order of rows, NULL: order of the script. */
	int (*compare)(const struct probe *a, const struct probe *b);
	/* -p2 -v: where and how: "0xffffffff812345 do_sys_open+0 fs/open.c:1318, kprobe". */
	void (*describe)(struct text *t, const struct probe *pr);
	/* -L: calls FN for each variable whose value can be had at the place, $return first. NULL: those of the context, if there is one. */
	void (*list_variables)(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data),
			       void *data);
	/* The file that the probe stands in, of which stacks want tables. NULL: it is in the kernel, or in no file. */
	const char *(*file)(const struct probe *pr);
	/* How it is attached, one word for the summary of -v: "kprobe". NULL: as `attached` says. */
	const char *(*mechanism)(const struct probe *pr);
	const char *attached;                /* NULL: by the family's name */
};

#define FAMILY(id, name, flags, points) points
#define POINTS(name) extern const struct probe_family probe_family_##name;
#include "runtime/families.def"
#undef POINTS
#undef FAMILY
/* All of them, NULL at the end. */
extern const struct probe_family *const probe_families[];

/* Do its handlers run while no other handler of the session does? */
bool probe_is_alone(const struct probe *pr);
/* Do its handlers run rarely? */
bool probe_is_cold(const struct probe *pr);

/* Adds a probe for the point being resolved. */
struct probe *probe_add(struct resolve *r, const struct probe_family *f, const char *pp, void *data);

/* Returns the family of a point without wildcards and aliases, and sets *RET to its pattern. Returns NULL if no family matches. */
const struct probe_family *probe_match(const struct probe_point *pp, const struct probe_pattern **ret);
/* Reports that no family has PP, with the nearest name of a component and what may follow. */
void probe_report_mismatch(const struct probe_point *pp);

/* Registers that the handler reads: bit N for DWARF register N; all bits: unknown. After resolve. */
uint32_t probe_registers(const struct probe *pr);

/* The alias of PR that the script named, NULL: it named the point itself. */
const char *probe_alias(const struct probe *pr);
/* kt_script.origins: where the script has the probe, and from what points its own was made, its own first. */
const char *probe_origin(const struct probe *pr);
/* The mark before a text in a row, which stands for the position of the text in kt_script.texts. It does not occur in C. The text's
 * length and a colon follow it: the text is a name from a file and may contain any byte. */
#define ROW_TEXT_OPEN "\1"
/* Writes the position of S. */
void emit_row_text(struct text *t, const char *s);
/* What fires PR: "ftrace", "kprobe", or the name of the family; for BPF programs how they are attached. */
const char *probe_mechanism(const struct probe *pr);

/* Argument of component INDEX (from 0), NULL when it has none. */
const struct node *probe_arg(const struct probe_point *pp, int index);

/* Whether the kernel has OPTION (without CONFIG_), or its configuration is not installed. False: the point was refused. */
bool probe_option(const struct resolve *r, const char *option);
/* The argument of .maxactive(), how many calls may be in flight; ARG NULL leaves *ret. False: reported. */
bool probe_maxactive(const struct node *arg, unsigned *ret);

/* The components of a point as source text, without ?, ! and condition: kernel.function("x").return */
const char *probe_point_text(const struct probe_point *pp);

/* Calls FN with the text of each pattern of each family. */
void probe_patterns(void (*fn)(const struct probe_pattern *pattern, void *data), void *data);

#endif

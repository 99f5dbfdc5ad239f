/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of user programs: compact tables of one object (an executable, a library, the vdso), and steps over frames.
 *
 * A table is one block of memory that the loader makes of an object's file: call frame information flattened to sorted
 * rows "from this pc on, this rule", the symbols, the lines, and how file offsets become the object's own addresses.
 * All numbers are of the machine's byte order; places are counted from `base`, so that they fit in 32 bits.
 *
 *	struct kt_unwind_head, segments, rows, rule words, symbols, groups of lines, files, names, bytes of lines
 *
 * Nobody trusts a block: kt_unwind_open() checks every index and every order once, after which steps and look-ups stay
 * inside it whatever the stack of the program says. No kernel, no C library: it runs in the kit, in tests and fuzzers.
 */
#ifndef KT_CORE_UNWIND_H
#define KT_CORE_UNWIND_H

#include "../script.h"

enum {
	KT_UNWIND_MAGIC = 0x3174666b,
	KT_UNWIND_REGS = 33,           /* most that an architecture has, by DWARF number */
	KT_UNWIND_ROWS_MAX = 1 << 22,
	KT_UNWIND_LINES_MAX = 1 << 24,
	KT_UNWIND_GROUP = 32,          /* lines of which the first one stands by itself */
	KT_UNWIND_NAMES_MAX = 1 << 26, /* bytes */
	KT_UNWIND_SEGMENTS_MAX = 64,
	KT_UNWIND_RULES_MAX = 40,      /* of registers, in one row */
};
#define KT_UNWIND_NONE (~0u)           /* a row without a rule: nothing is known from here on */

struct kt_unwind_head {
	kt_u32 magic;
	kt_u32 n_segments, n_rows, n_words, n_symbols;
	kt_u32 n_lines, n_files, n_line_bytes;
	kt_u32 n_names;                /* bytes; the last one is 0 */
	kt_u32 name;                   /* of the object: its path; an offset in names */
	kt_u32 build_id;               /* in hexadecimal; an offset in names */
	kt_u64 base;                   /* lowest address of the object as linked */
};

/* Bytes of the file that are mapped: offset in the file, their place. */
struct kt_unwind_segment {
	kt_u64 offset;
	kt_u32 place, size;
};

struct kt_unwind_row {
	kt_u32 place;
	kt_u32 rule;                   /* index of its first word, or KT_UNWIND_NONE */
};

struct kt_unwind_symbol {
	kt_u32 place, size;
	kt_u32 name;
};

struct kt_unwind_line {
	kt_u32 place;
	kt_u32 file;                   /* which of the files; those are offsets in names */
	kt_u32 line;                   /* 0: no line from here on */
};

/* Lines are many, a kernel has millions, and near each other. Each KT_UNWIND_GROUP-th is a group's first one; those that
 * follow it are bytes: as LEB128 how far the place is on, then, zigzagged, how far the line is, times 2, plus 1 when the
 * number of another file follows. */
struct kt_unwind_group {
	struct kt_unwind_line first;
	kt_u32 at;                     /* of the second one's bytes */
};

static inline kt_u32 kt_unwind_groups(kt_u32 n_lines)
{
	return n_lines / KT_UNWIND_GROUP + (n_lines % KT_UNWIND_GROUP != 0);
}

/* A rule: the word kt_unwind_cfa(), an offset, then two words for each register that is saved or changed: the word
 * kt_unwind_saved(), an offset. Registers that are not named keep their value. */
enum kt_unwind_cfa_kind {
	KT_CFA_END,    /* the outermost frame */
	KT_CFA_SUM,    /* register + offset */
	KT_CFA_DEREF,  /* what is stored at register + offset */
	KT_CFA_PLT,    /* register + offset, and a word more when the low 4 bits of pc are `limit` or above: a PLT's push */
	KT_CFA_KINDS
};
enum kt_unwind_saved_kind {
	KT_SAVED_LOST,    /* its value is not known any more */
	KT_SAVED_AT_CFA,  /* stored at CFA + offset */
	KT_SAVED_CFA,     /* it was CFA + offset */
	KT_SAVED_AT,      /* stored at register `other` + offset */
	KT_SAVED_SUM,     /* it was register `other` + offset */
	KT_SAVED_KINDS
};
enum { KT_RULE_SIGNAL = 1 << 24 }; /* in the first word: the frame was interrupted, its pc is where it was, not a call */

static inline kt_u32 kt_unwind_cfa(kt_u32 kind, kt_u32 reg, kt_u32 n, kt_u32 limit, kt_u32 flags)
{
	return kind | reg << 8 | n << 16 | limit << 25 | flags;
}

static inline kt_u32 kt_unwind_saved(kt_u32 kind, kt_u32 reg, kt_u32 other)
{
	return kind | reg << 8 | other << 16;
}

/* A checked table. */
struct kt_unwind_table {
	kt_u32 n_segments, n_rows, n_words, n_symbols, n_lines, n_files, n_line_bytes;
	kt_u64 base;
	const struct kt_unwind_segment *segments;
	const struct kt_unwind_row *rows;
	const kt_u32 *words;
	const struct kt_unwind_symbol *symbols;
	const struct kt_unwind_group *groups;
	const kt_u32 *files;
	const char *names;
	const kt_u8 *line_bytes;
	const char *name;              /* the object's */
	const char *build_id;          /* "" without one */
};

/* Checks BLOCK, which must be aligned to 8 and stay as it is. 0 or -1. Context: any; takes time in proportion. */
int kt_unwind_open(struct kt_unwind_table *t, const void *block, kt_u64 size);
/* The place of byte OFFSET of the file; KT_UNWIND_NONE: it is not mapped. */
kt_u32 kt_unwind_place(const struct kt_unwind_table *t, kt_u64 offset);
/* The symbol that PLACE is in; NULL: none. */
const struct kt_unwind_symbol *kt_unwind_symbol(const struct kt_unwind_table *t, kt_u32 place);
/* The line that PLACE is on, 0: none is known; and the name of its file. */
kt_u32 kt_unwind_line(const struct kt_unwind_table *t, kt_u32 place, const char **file);

/* An architecture's names of its registers, by DWARF number. */
struct kt_unwind_machine {
	kt_u8 sp, fp;
	kt_u8 ip;                      /* kt_unwind_state.reg[] of the pc */
	kt_u8 ra;                      /* column of the return address: where the pc goes on */
	kt_u8 word;                    /* bytes of an address: 8, or 4 in programs of 32 bits */
};

struct kt_unwind_state {
	kt_u64 reg[KT_UNWIND_REGS];
	kt_u64 known;                  /* bit N: reg[N] is the frame's */
	kt_u64 ra_at;                  /* where the return address was stored; 0: in no memory */
	kt_u8 first;                   /* the innermost frame: its stack pointer need not grow */
	kt_u8 exact;                   /* pc is the instruction itself, not the one after a call */
};

enum kt_unwind_step {
	KT_STEP_OK,    /* the state is the caller's */
	KT_STEP_END,   /* there is no caller */
	KT_STEP_NONE,  /* no rule for this pc */
	KT_STEP_FAULT, /* memory that was needed could not be read */
	KT_STEP_BAD,   /* the stack makes no sense: a register is not known, or the stack pointer did not grow */
};

/* Reads the SIZE bytes, 8 or 4, at ADDRESS; 0 or not. */
typedef int kt_unwind_read_fn(void *data, kt_u64 address, kt_u32 size, kt_u64 *ret);

/* Returns the rule of the code at PLACE, NULL: there is none. */
const kt_u32 *kt_unwind_rule(const struct kt_unwind_table *t, kt_u32 place);

/* From a frame at PLACE to its caller, by the table. The state is changed only when it says KT_STEP_OK. Context: any. */
enum kt_unwind_step kt_unwind_step(const struct kt_unwind_table *t, kt_u32 place, const struct kt_unwind_machine *m,
				   struct kt_unwind_state *s, kt_unwind_read_fn *read, void *data);
/* The same by a RULE that was made by hand: code of the kernel's that no table covers. */
enum kt_unwind_step kt_unwind_step_rule(const kt_u32 *rule, const struct kt_unwind_machine *m, struct kt_unwind_state *s,
					kt_unwind_read_fn *read, void *data);
/* The same by frame pointer, which is right where the program keeps one. */
enum kt_unwind_step kt_unwind_step_fp(const struct kt_unwind_machine *m, struct kt_unwind_state *s,
				      kt_unwind_read_fn *read, void *data);
/* Where to look the frame up: calls end with the call, and its function may end there too. */
static inline kt_u64 kt_unwind_pc(const struct kt_unwind_machine *m, const struct kt_unwind_state *s)
{
	return s->reg[m->ip] - !s->exact;
}

#endif

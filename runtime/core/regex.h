/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions that the translator compiled to tables (translator/sema/regex.c).
 *
 * `s =~ "re"` is a walk through a deterministic automaton: one table look-up per byte, stops at the first accepting
 * state. Where the script asks for groups, a match is followed by a run of the program, which keeps one thread per
 * instruction: linear in the text times the program, whatever the expression. The match is the leftmost, of these the
 * longest; repetitions are greedy.
 */
#ifndef KT_CORE_REGEX_H
#define KT_CORE_REGEX_H

#include "../script.h"

enum kt_regex_op {
	KT_RE_SET,    /* a byte in set a, then the next instruction */
	KT_RE_SPLIT,  /* instruction a, or else b */
	KT_RE_JUMP,   /* instruction a */
	KT_RE_SAVE,   /* the position is slot a: 2 * group, + 1 for its end */
	KT_RE_BEGIN,  /* ^ */
	KT_RE_END,    /* $ */
	KT_RE_MATCH,
};

struct kt_regex_inst {
	kt_u16 op; /* enum kt_regex_op */
	kt_u16 a, b;
};

enum kt_regex_accept {
	KT_RE_ACCEPT = 1,        /* matched already */
	KT_RE_ACCEPT_AT_END = 2, /* matched if the text ends here */
};

struct kt_regex {
	const kt_u8 *class_of;  /* 256: byte to class */
	const kt_u16 *next;     /* state * n_classes + class: the next state; 0 is dead */
	const kt_u8 *accept;    /* by state: enum kt_regex_accept */
	kt_u32 n_classes;
	kt_u32 start;           /* state */
	kt_u32 n_groups;
	/* For groups; NULL and 0 where the script does not ask for them. */
	const struct kt_regex_inst *program;
	const kt_u8 *sets;      /* bitmaps of 32 bytes */
	kt_u32 n_insts;
};

/* Two-byte words of working space that kt_regex_groups() needs. */
#define KT_REGEX_ROOM(n_insts, n_groups) \
	(2 * (n_insts) * (2 + 2 * ((n_groups) + 1)) + 8 * (n_insts) + 2 * ((n_groups) + 1))

/* s =~ re. Context: any; linear in S. */
int kt_regex_match(const struct kt_regex *re, const char *s);
/* The same, and the groups for matched(): c->match_text has SIZE bytes, c->match_at 2 * (groups + 1) words, ROOM is as
 * KT_REGEX_ROOM() says. */
int kt_regex_groups(struct kt_ctx *c, const struct kt_regex *re, const char *s, kt_u32 size, kt_u16 *room);

/* Group N of the last match in this handler, 0: all of it; "" for a group that took no part. */
void kt_fn_matched(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n);
/* How many values matched() takes: the groups in the expression of the last match, and 0. */
kt_s64 kt_fn_ngroups(struct kt_ctx *c);

#endif

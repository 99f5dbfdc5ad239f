/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by probes on functions and on statements: the targets that a point is about, how a place is named in points, rows
 * and plans, and what is said when nothing matches.
 */
#ifndef KTAP_PROBE_PLACES_H
#define KTAP_PROBE_PLACES_H

#include "translator/probe/context.h"
#include "translator/probe/probe.h"

/* Calls FN for each target of the point: the kernel, a module, or the modules that module("GLOB") matches and that are
 * described. False: reported, by FN or because there is no target. */
bool places_each_target(struct resolve *r, bool (*fn)(struct resolve *r, struct target *t, void *data), void *data);

/* Nothing was found: says where FUNC is otherwise, or a name like it. T: the target asked last. */
bool places_no_match(struct resolve *r, struct target *t, const char *func);
/* Does the pattern ARG, "FUNC@FILE:LINE", name a file of which T knows no function? Then notes it, with a file that may be meant. */
bool places_note_unknown_file(struct target *t, const struct node *arg);
/* Notes what the places are that exist but were not asked for, and into which functions they are inlined. */
void places_note_there(struct loc loc, const struct place *places);
/* Warns at LOC, in the script, that some calls of what Q names without wildcards have no return to probe. */
void places_warn_inlined(const struct resolve *r, struct target *t, const struct function_query *q, struct loc loc);
/* Warns at LOC if hits of one of PLACES, in the file PATH, may be wrong: the first of them. */
void places_warn_merged(const struct resolve *r, const struct place *places, const char *path, struct loc loc);
/* Keeps for ktap plan that P is not probed, and WHY. */
void places_leave_out(struct resolve *r, const struct place *p, const char *why);
/* All that was found is denied, for the reason WHY. */
bool places_denied(struct resolve *r, const char *what, const char *why);

/* Returns the query of .callee(ARG) or, with LEVELS, .callees(ARG); with INLINED (and .callees()) for inlined instances too. ARG may be
 * NULL. NULL: reported. */
const struct callee_query *places_callee_query(const struct node *arg, bool levels, bool inlined, struct reports *reports);
/* The functions of CALLERS are there, what they call is not: reported at ARG, or at LOC where there is none. False. */
bool places_no_callee(struct target *t, const struct function_query *callers, const struct callee_query *q, const struct node *arg,
		      struct loc loc);

/* Does the kit try ftrace there: the first instruction of a function of the kernel? */
bool places_is_entry(const struct context_place *cp);
/* What addresses that a script has for T count from: in a module, the start of its text. */
uint64_t places_address_base(struct target *t);
/* Returns the mechanism that the kit probes CP with, unless the kernel refuses that there. */
const char *places_mechanism(const struct probe *pr);
/* The start of a struct kt_kprobe_row: probe, kind, address, symbol, module, offset. */
/* The same for a BPF program. */
bool places_attach(const struct context_place *cp, struct probe_attach *ret);
void places_emit_row(struct text *t, const struct probe *pr, const struct context_place *cp);
/* The part of it that says which calls have led there: for callees. */
void places_emit_calls(struct text *t, const struct context_place *cp);
/* "0xffffffff81234567 do_sys_open+0 fs/open.c:1318, inlined into ..." */
void places_describe(struct text *t, const struct context_place *cp);

#endif

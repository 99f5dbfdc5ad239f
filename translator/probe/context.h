/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Context variables: $x, $x->y[i], &$x, $$vars and others, at any place that debugging information describes. */
#ifndef KTAP_PROBE_CONTEXT_H
#define KTAP_PROBE_CONTEXT_H

#include "translator/probe/access.h"

/* Where a probe is, as far as its variables are concerned. */
struct context_place {
	struct target *target;   /* NULL: @cast and @var look in the kernel */
	const struct place *place; /* NULL: there are no variables but @cast and @var */
	bool at_return;       /* registers are those at the function's return */
	bool of_return;       /* the probe is one of a return, though these be the registers of the entry */
	bool is_tracepoint;   /* the variables are `arguments`, and no others */
	const struct variable *arguments; /* not a tracepoint: besides the variables of the place, and before them */
	bool interpreted;     /* what runs is a script in the target: a name without a module is the kernel's */
};

/* The place of PR, NULL: it has none. */
const struct context_place *context_of(const struct probe *pr);

/* The files that were opened for P. */
struct opened *context_opened(struct program *p);
/* The kernel's debugging information, opened on first use. NULL: reported, once. */
struct target *context_kernel(struct program *p);

/* What "kernel", a module's name or the path of a program means to @cast and its like. NULL: reported. */
struct target *context_module(struct program *p, const char *name, struct loc loc);

/* The session has to compare the build of T, if that is a module, with the one that is loaded. CAST: memory is read with its types, or its
 * enumerators are used, where neither its places nor its variables lead. */
void context_need_module(struct program *p, const struct target *t, bool cast);

/* The hook struct probe_family.variable for a probe at CP. A question (ASKED) prints no message. */
bool context_variable(struct program *p, const struct context_place *cp, struct node **np, bool asked);

/* Does a number of type CT, which is in memory or in a register, have a size that is read? */
bool context_is_held(const struct ctype *ct);

/* Does the chain N have a value at CP? Nothing is reported. */
bool context_printable(struct program *p, const struct context_place *cp, struct node *n);

/* What the long that N gives is the address of, as far as is known: values of pointer types, addresses, and what was
 * assigned from them. An enumeration: N is a value of it. NULL: unknown. */
const struct ctype *context_points_to(const struct node *n);

/* The array of char that N gives the address of, and whose string it is where the script needs one; NULL: it is none. */
const struct ctype *context_char_array(const struct node *n);

/* "do_sys_open@fs/open.c:1333" */
const char *context_place_name(const struct place *p);

/* Calls FN for each variable whose value can be had at CP. */
void context_list(const struct context_place *cp, void (*fn)(const char *name, const char *type, void *data), void *data);

/* Calls FN for each variable of PR, as -L lists them. */
void context_list_probe(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data);

/* For ktap plan: a line for each variable, with where it lives or why it is unavailable. Each begins with "\n". */
void context_describe(struct text *t, const struct context_place *cp);

#endif

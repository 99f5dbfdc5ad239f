/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to bytes: text to the output, errors and warnings to stderr, commands to the shell. */
#ifndef KT_LOADER_PRINT_H
#define KT_LOADER_PRINT_H

#include <stdbool.h>
#include <sys/types.h>

#include "runtime/loader/control.h"
#include "runtime/loader/names.h"
#include "runtime/loader/output.h"
#include "runtime/loader/stacks.h"
#include "runtime/output/events.h"

struct limits;
struct warning; /* print.c */

struct printer {
	struct control *control;
	struct output *output;
	struct output messages; /* standard error, of the whole program */
	FILE *stderr_before;    /* NULL: standard error is as it was */
	bool one_file;          /* both are the same file */
	struct stacks *stacks; /* NULL: nobody asks for tables of user objects */
	struct names names;
	struct events events; /* what is printed; with -f json everything that is said, as objects */
	bool counted;      /* --ledger: handled hits are counted */
	bool no_warnings;  /* -w */
	bool repeat;       /* -v: the same warning again and again */
	bool color;        /* stderr is a terminal */
	struct warning *seen;
	int n_seen;
	const struct limits *limits; /* that commands run with */
	int nice;          /* priority that commands run with: that of the caller */
	pid_t *commands;   /* of system(), still running; the session reaps them */
	int n_commands;
	kt_u64 malformed;  /* records that fit neither their format nor their kind */
};

void print_init(struct printer *p, struct control *c, struct output *o);
/* Looks at standard error again, which is another file now. */
void print_look_at_stderr(struct printer *p);
/* Writes of the output and of messages as much as does not block. */
void print_flush(struct printer *p);
void print_deinit(struct printer *p);

/* The child PID has ended. If it is a command of system(), nobody waits for it any more. */
void print_child_ended(struct printer *p, pid_t pid);

void print_record(struct printer *p, const struct kt_record *rec);

/* A warning of the loader itself, in the form of a script's. Unaffected by de-duplication. */
void print_warning(struct printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables for stacks of user programs, and of source lines: which objects get them, and giving them to the module. */
#ifndef KT_LOADER_STACKS_H
#define KT_LOADER_STACKS_H

#include "runtime/loader/apart.h"
#include "runtime/loader/control.h"

/* A file or module that lacks tables, and what became of it. */
struct met {
	char *name; /* its path; the last part of it where the process had ended */
	unsigned long dev, ino; /* of a file whose path is known */
	const char *why; /* it has none */
	enum met_end {
		MET_GIVEN,    /* it has them now */
		MET_NONE,     /* it has nothing that tables are made of, or there are too many */
		MET_GONE,     /* the process had ended */
		MET_PARTLY,   /* it has some; other sections are too large to be read */
		MET_NO_LINES, /* a module whose debugging information is not there */
	} end;
};

enum { MET_MAX = 256 };

struct stacks {
	struct control *control;
	struct met *met; /* the first MET_MAX */
	int n_met;
	unsigned long passed_over; /* reports of such objects that were not looked at: too many, or too slow */
	double met_since, met_seconds; /* the time of the first, and what all of them took */
	int n_objects; /* that were given tables */
	struct libraries libraries;
	struct apart_limits limits, kernel_limits; /* of reading an object, and the kernel's debugging information */
	double early_seconds; /* what reading objects before the start took */
	bool verbose;
	bool lines;    /* the script asks for source lines */
	const char *no_kernel; /* why those of the kernel, which it asks for, are not known; NULL: they are */
};

/* Before START: tables of what the script names, of the binary of COMMAND (or NULL) with its libraries, of what process
 * TARGET (or 0) has mapped, and of the vdso. A file that has none is passed over: its frames are found by frame pointer. Reading ends early,
 * also later, once OVER(DATA) says that the session is to end. */
void stacks_init(struct stacks *s, struct control *c, const char *command, int target, bool verbose, bool (*over)(void *data), void *data);
void stacks_deinit(struct stacks *s);
/* Process PID's stack met an object without tables at ADDRESS: they are made now. NAME: the last part of its path. PID 0: a
 * module of the kernel. */
void stacks_met(struct stacks *s, kt_s64 pid, kt_u64 address, const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables for stacks of user programs, and of source lines: which objects get them, and giving them to the module. */
#ifndef KT_LOADER_STACKS_H
#define KT_LOADER_STACKS_H

#include "runtime/loader/control.h"

struct stacks {
	struct control *control;
	char **late;   /* objects that stacks met before they had tables: paths, or names where no path was known */
	int n_late;
	int n_objects; /* that were given tables */
	bool verbose;
	bool lines;    /* the script asks for source lines */
	const char *no_kernel; /* why those of the kernel, which it asks for, are not known; NULL: they are */
	char **bare;   /* modules of the kernel that were met and have no lines */
	int n_bare;
};

/* Before START: tables of what the script names, of the binary of COMMAND (or NULL) with its libraries, of what process
 * TARGET (or 0) has mapped, and of the vdso. A file that has none is passed over: its frames are found by frame pointer. */
void stacks_init(struct stacks *s, struct control *c, const char *command, int target, bool verbose);
void stacks_deinit(struct stacks *s);
/* Process PID's stack met an object without tables at ADDRESS: they are made now. NAME: the last part of its path. PID 0: a
 * module of the kernel. */
void stacks_met(struct stacks *s, kt_s64 pid, kt_u64 address, const char *name);

#endif

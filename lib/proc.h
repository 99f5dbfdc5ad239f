/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes: run a command, wait, collect output. Never through a shell.
 *
 * A child whose output is collected or dropped runs in its own process group, below a watcher. The watcher ends the whole group when this
 * process ends, by SIGKILL too, and when the time is over. A child that has our output has our terminal, and stays in our group.
 */
#ifndef KTAP_LIB_PROC_H
#define KTAP_LIB_PROC_H

#include "lib/text.h"

/* Bounds of a child and of each process that it starts; 0: none. A lower one that this process has stays. */
struct proc_limits {
	unsigned int seconds;     /* until all are ended */
	unsigned int cpu_seconds;
	unsigned int memory_mb;   /* of address space */
	unsigned int file_mb;     /* the size of a file that is written */
};

/* For a compiler of generated code, or a make that runs many; for one of what a script names. */
extern const struct proc_limits proc_limits_compiler, proc_limits_header;

struct proc {
	const char *const *argv;  /* NULL-terminated */
	const char *cwd;          /* NULL: unchanged */
	const char *const *env;   /* NULL-terminated "K=V" added to the environment, "K" taken from it, or NULL */
	struct text *out;         /* gets stdout and stderr, NULL: inherited */
	bool quiet;               /* without out: both go to /dev/null */
	const struct proc_limits *limits; /* with out or quiet; NULL: none */
};

/* For a make of our own: takes away the variables of an outer make, and what the user exported for another build. */
extern const char *const proc_make_env[];

/* Runs it to its end. The exit status, 128 + signal, or -errno when it could not be started; -ETIME: its time was over. */
int proc_run(const struct proc *p);

/* Closes all descriptors but A and B, which may be equal. For a child after fork(). */
void proc_close_except(int a, int b);

#endif

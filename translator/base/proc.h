/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes: run a command, wait, collect output. Never through a shell. */
#ifndef KTAP_BASE_PROC_H
#define KTAP_BASE_PROC_H

#include "translator/base/text.h"

struct proc {
	const char *const *argv;  /* NULL-terminated */
	const char *cwd;          /* NULL: unchanged */
	const char *const *env;   /* NULL-terminated "K=V" added to the environment, "K" taken from it, or NULL */
	struct text *out;         /* gets stdout and stderr, NULL: inherited */
	bool quiet;               /* without out: both go to /dev/null */
};

/* For a make of our own: takes away the variables of an outer make, and what the user exported for another build. */
extern const char *const proc_make_env[];

/* Runs it to its end. The exit status, 128 + signal, or -errno when it could not be started. */
int proc_run(const struct proc *p);

#endif

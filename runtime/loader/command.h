/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of -c: started at once but held before its exec until the probes are armed. */
#ifndef KT_LOADER_COMMAND_H
#define KT_LOADER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct limits;

struct command {
	const char *line;
	pid_t pid;      /* 0: not started or ended */
	int hold;       /* a byte here lets it go; closed without one, it ends */
	int failed;     /* readable: errno of a failed exec, or end of file */
	bool released;
	bool not_run;   /* the exec failed and was reported: its exit status says nothing */
	int status;     /* of waitpid(), once it has ended */
};

/* Forks the child, so that its pid is known. PYTHON: which functions the package HelperSDT is to tell of, NULL: the command's
 * environment is ours. The command gets LIMITS. OUTPUT becomes its standard output. False: reported. */
bool command_prepare(struct command *c, const char *line, const char *python, const struct limits *limits, int output);
/* Lets it run. False: it could not be executed; reported. */
bool command_release(struct command *c);
/* Ends it if it still runs: it belongs to the session. */
void command_stop(struct command *c);

#endif

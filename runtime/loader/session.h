/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session: from a loaded module to the last record. */
#ifndef KT_LOADER_SESSION_H
#define KT_LOADER_SESSION_H

#include <stdbool.h>

#include "runtime/loader/output.h"
#include "runtime/loader/sys.h"
#include "runtime/output/events.h"

struct limits;

struct session_options {
	const struct limits *limits; /* of this process, as it was started: programs that it runs get them back */
	const char *module;         /* path of the .ko */
	const char *command;        /* -c or NULL */
	int target;                 /* -x, 0: none */
	int target_process;         /* its descriptor of process_open() */
	double seconds;             /* -T, 0: no limit */
	const char *output;         /* -o or NULL */
	struct rotation rotation;   /* -S, with output */
	bool daemon;                /* -D: to the pipe READY goes the pid once the session runs */
	int ready;
	const char *const *globals; /* -G, n_globals of them */
	int n_globals;
	bool no_warnings;           /* -w */
	bool verbose;               /* -v */
	bool ledger;                /* --ledger */
	bool strict;                /* --strict: losses are exit status 6 */
	bool force_taint;           /* --force-taint: load the module even if the kernel panics on its taint */
	bool json;                  /* -f json; a module that was built with it needs no option */
	bool control;               /* --control: commands come on standard input */
	enum stamp_clock clock;     /* --timestamps */
	bool relay;                 /* --transport=relay */
	bool bulk;                  /* --bulk: output is the beginning of the files' names */
};

/* Loads the module, runs the session to its end, removes the module. The exit status of the program. */
int session_run(const struct loader_sys *sys, const struct session_options *o);

#endif

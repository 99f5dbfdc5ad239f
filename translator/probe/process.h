/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the families of programs: the file that a point names, and a place in it. */
#ifndef KTAP_PROBE_PROCESS_H
#define KTAP_PROBE_PROCESS_H

#include "translator/probe/entry.h"

/* A file that process(...) or .library(...) names. */
struct process_file {
	const char *path;   /* what the kit opens: the file itself, or /proc/PID/exe */
	const char *point;  /* the components that name it: process("/usr/bin/ls") */
	int pid;            /* of process(PID), 0: none */
	struct process_file *next;
};

/* The files of the point: process("path"), process(PID) or process, and .library() after it. NULL: reported, or the point is
 * optional and *ret_optional set. */
struct process_file *process_files(struct resolve *r, bool *ret_optional);

/* The process PID, of which nothing is read. NULL: reported. */
struct process_file *process_by_id(long long pid, struct loc loc);

/* The component NAME of the point, NULL: it has none. */
const struct component *process_part(const struct probe_point *pp, const char *name);

/* probe->data of probes in code. */
struct process_probe {
	struct context_place cp;
	const struct process_file *file;
	uint64_t address;   /* as linked */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* offset in the file, 0: none */
	const char *what;   /* for -v: "mark provider:name", NULL: the function */
	struct entry_values entry;
	/* Marks: what $arg1 and so on are made of; see process_mark.c. */
	const struct sdt_mark *mark;
	const char *name;   /* $$name: of a mark or a function called through the PLT */
	const char *python; /* of a function of Python: its line of python_wanted(), else NULL */
};

/* Adds the probe of P in the file F; false: reported. PP is its point. Code that the file does not hold is left out. */
struct process_probe *process_add(struct resolve *r, struct target *t, const struct process_file *f, const struct place *p,
				  bool at_return, const char *pp);

/* The forms of .mark(), .provider() and .plt, of one file. False: reported. */
bool process_marks(struct resolve *r, struct target *t, const struct process_file *f);
bool process_plt(struct resolve *r, struct target *t, const struct process_file *f);
/* The hook of variables of a mark and of a PLT slot. */
bool process_mark_variable(struct program *p, struct probe *pr, struct node **np, bool asked);

#endif

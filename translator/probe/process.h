/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the families of programs: the file that a point names, and a place in it. */
#ifndef KTAP_PROBE_PROCESS_H
#define KTAP_PROBE_PROCESS_H

#include "translator/probe/entry.h"

/* A file that process(...) or .library(...) names. */
struct process_file {
	const char *path;   /* what the kit opens: the file itself, or /proc/PID/exe */
	const char *point;  /* the components that name it: process("/usr/bin/ls") */
	const char *program; /* of .library(): the program that loads it, where it was named; NULL: it is a program, or not known */
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
	/* Return probes: where the function returns, or why the kernel replaces the return address. */
	const struct function_ends *ends;
	const char *hooked;
	const char *unwinds; /* what shows that the program unwinds its stack; NULL: nothing does */
	const char *refused; /* why the kernel or the program does not bear the probe, of a return or not; NULL: they do */
	/* Marks: what $arg1 and so on are made of; see process-mark.c. */
	const struct sdt_mark *mark;
	const char *name;   /* $$name: of a mark or a function called through the PLT */
	const char *python; /* of a function of Python: its line of python_wanted(), else NULL */
};

/* Adds the probe of P in the file F; false: reported. PP is its point. Code that the file does not hold is left out. */
struct process_probe *process_add(struct resolve *r, struct target *t, const struct process_file *f, const struct place *p,
				  bool at_return, const char *pp);

/* ---- process-return.c ---- */
/* Sets how the return probe UP finds returns. */
void process_return_find(struct program *program, struct process_probe *up, struct loc loc);
/* Takes out the refused probes of R after BEFORE (NULL: all), and reports them and what a program may notice of the others. False: an error
 * was reported. */
bool process_check(struct resolve *r, struct probe *before);
/* Returns whether the kit keeps something of a call from its entry to its end. */
bool process_return_keeps(const struct process_probe *up);
/* Returns the kind of the row of END, as C. NULL: it needs no row. */
const char *process_return_kind(const struct process_probe *up, const struct function_end *end);
/* Writes the members of a row that only a return instruction has. */
void process_return_emit_end(struct text *t, const struct process_probe *up, const struct function_end *end);
/* Appends how returns are found, for -p2 -v. */
void process_return_describe(struct text *t, const struct process_probe *up);

/* The forms of .mark(), .provider() and .plt, of one file. False: reported. */
bool process_marks(struct resolve *r, struct target *t, const struct process_file *f);
bool process_plt(struct resolve *r, struct target *t, const struct process_file *f);
/* The hook of variables of a mark and of a PLT slot. */
bool process_mark_variable(struct program *p, struct probe *pr, struct node **np, bool asked);

#endif

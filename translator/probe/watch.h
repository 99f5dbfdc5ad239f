/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints: what the families of kernel.data and process.data share. */
#ifndef KTAP_PROBE_WATCH_H
#define KTAP_PROBE_WATCH_H

#include "translator/probe/process.h"

/* A place that a debug register watches. */
struct watch {
	const char *symbol;   /* NULL: an address of the running kernel or program */
	uint64_t address;
	uint64_t code;        /* linked address of the code of a program's symbol; 0: the address is not relocated */
	unsigned length;      /* 0: this is no watchpoint */
	bool reads;
};

/* Fills in the length: that of .length(), or as much of SIZE bytes as one register watches. False: it cannot be watched,
 * reported. POINT's argument ARG is the place. */
bool watch_settle(const struct resolve *r, struct watch *w, const struct node *arg, uint64_t size);

/* Does the name ARG mean one variable? False: it is that of N of the kernel or program WHERE, reported. */
bool watch_one_of_name(const struct node *arg, unsigned n, const char *where);

/* "writes of 4 bytes at NAME, debug register" */
void watch_describe(struct text *t, const struct watch *w);

/* The place that process(...).data() names in the program F; false: reported, or the point is optional. */
bool process_watch(const struct resolve *r, const struct process_file *f, struct watch *ret);

/* Returns the watchpoint of PR, NULL: PR has none. */
const struct watch *data_watch(const struct probe *pr);
const struct watch *perf_watch(const struct probe *pr);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bulk: each CPU's records go to a file, unformatted, and `ktap merge` formats them later. The files have all that this needs, so it
 * works on another machine.
 *
 * A file is a struct bulk_head, the formats, each with its NUL, and blocks: a struct kt_chunk and as many bytes as it says. Its `cpu` is
 * the file's, and records follow; or an enum bulk_block.
 */
#ifndef KT_LOADER_BULK_H
#define KT_LOADER_BULK_H

#include "runtime/loader/control.h"
#include "runtime/loader/merge.h"

#define BULK_MAGIC "ktapcpu"

struct bulk_head {
	char magic[8];
	kt_u32 abi;
	kt_u32 cpu;
	kt_u64 session[2]; /* a random number; the files of a session have the same */
	kt_u32 n_formats;
	kt_u32 formats_size;
	kt_u32 buffer_size;
	kt_u32 pad;
};

enum bulk_block {
	BULK_NAMES = 0xfffffffe, /* struct bulk_name and text of addresses in records that follow */
	BULK_END = 0xffffffff,   /* the last one; its horizon is the number of files that the session wrote */
};

struct bulk_name {
	kt_u64 address;
	kt_u32 kind; /* enum kt_name_kind */
	kt_u32 len;  /* of the text that follows */
};

struct bulk; /* bulk.c */

/* Starts a thread for each CPU of the module NAME. The files are PATTERN.N, stpd_cpuN if PATTERN is NULL. NULL: reported. */
struct bulk *bulk_start(struct control *c, const char *name, const char *pattern);

/* A file that becomes readable when a thread has records that are not for the files (warnings, errors, commands), or failed. */
int bulk_event(const struct bulk *b);

/* Adds those records to M, with all that a read of the control file says. Returns their bytes, or -errno of a thread that failed. */
long bulk_take(struct bulk *b, struct merge *m);

/* Reports the files that cannot be written. Returns false if all can. Is called after bulk_take() or bulk_finish() failed. */
bool bulk_report(struct bulk *b);

/* After STOP: waits until all records are in the files. */
void bulk_finish(struct bulk *b);
/* Takes NULL, too. */
void bulk_free(struct bulk *b);

/* Prints what the N files at PATHS hold, in the order of time, to the file OUTPUT or to standard output. Commands in them are not
 * run. Returns the exit status. */
int bulk_merge(char *const *paths, int n, const char *output);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of all CPUs in time order.
 *
 * All records of a handler have one time and come out together. The records of a level of a CPU are in order; a handler of one
 * level may have written between two records of another level's. So a record may be given out when no level of a CPU
 * can still bring an older one: its time is not above the horizon of any CPU with a level that has nothing waiting.
 */
#ifndef KT_LOADER_MERGE_H
#define KT_LOADER_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/abi.h"

/* The records of a level. */
struct merge_stream {
	char *buf;           /* whole records */
	size_t from, to;     /* those that wait */
	size_t cap;
	kt_u64 last;         /* time of the last record given out */
};

struct merge_cpu {
	kt_u32 cpu;
	struct merge_stream levels[KT_LEVELS];
	kt_u64 horizon;
	kt_u64 lost_records; /* as the last chunk said */
	kt_u64 lost_bytes;
};

struct merge {
	struct merge_cpu *cpus;  /* known ones */
	kt_u32 n, n_max;
	size_t waiting;          /* bytes */
	size_t limit;            /* above this many waiting bytes order gives way to memory */
	struct merge_stream *run; /* whose records go next while their time is at most `until` */
	kt_u64 until;
	kt_u64 disordered;       /* records that went before their time was certain */
};

void merge_init(struct merge *m, kt_u32 n_cpus, size_t limit);
void merge_deinit(struct merge *m);

/* Takes what one read() of the control file gave. 0, or -EPROTO when it is not well formed. */
int merge_add(struct merge *m, const char *chunks, size_t len);

/* The next record, NULL: none yet. ALL: the session is over, nothing older can come. Valid until the next call. */
const struct kt_record *merge_next(struct merge *m, bool all);

#endif

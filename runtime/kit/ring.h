/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings: records of one CPU (ring.c). */
#ifndef KT_KIT_RING_H
#define KT_KIT_RING_H

#include <linux/cache.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct rchan_buf; /* of relay */

struct kt_ring {
	/* The CPU's own line. */
	char *data;         /* pages mapped twice in a row: a record is always contiguous; or those of relay */
	u64 size;           /* bytes, a power of two; 0: this CPU has no ring, or relay has its records */
	u64 half;           /* the reader is called when more is in use; ~0 when it was */
	u64 head;           /* end of what is reserved; counts up for ever */
	u64 committed;      /* end of what the reader may see */
	u32 nest;           /* reservations open on this CPU: more than one when an NMI came between */
	u64 lost_records;
	u64 lost_bytes;
	struct rchan_buf *relay; /* NULL: it has none */
	bool reserving;     /* in relay's own code, which an NMI must not enter again */
	bool opened;        /* its file */
	/* The reader's lines, under lock. */
	struct mutex lock;
	u64 tail ____cacheline_aligned; /* end of what was read */
	u64 target;         /* all records before it are older than target_time */
	u64 target_time;    /* no record after it is older than this */
	u64 horizon;        /* target_time of the last target that was reached */
	struct page **pages;
	u32 n_pages;
};

/* Bytes of each ring, a power of two. */
extern u32 kt_ring_size;
/* Bits of enum kt_output. */
extern unsigned int kt_output;
int kt_rings_create(void);
/* The bytes that creating them will allocate, as for contexts, timing and the guard below. */
u64 kt_rings_bytes(void);
void kt_rings_destroy(void);
/* Reports on each possible CPU. */
ssize_t kt_rings_read(char __user *buf, size_t len);
bool kt_rings_have_data(void);
/* Has the reader called by the next record. Context: process. */
void kt_rings_await(void);
/* The same for CPU alone. */
ssize_t kt_ring_read(int cpu, char __user *buf, size_t len);
bool kt_ring_has_data(int cpu);
void kt_ring_await(int cpu);
/* Whether the reader was called since the ring was read last. */
bool kt_ring_called(int cpu);
/* Opens the ring of CPU for one reader, or closes it. False: it has one. */
bool kt_ring_open_reader(int cpu, bool open);
/* Creates the rings of CPUs that come online and have none. Context: process, under kt_run.lock. */
int kt_rings_follow(void);

#endif

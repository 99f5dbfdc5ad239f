/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread-local data: where a thread has its copy of a file's. */
#ifndef KTAP_DEBUGINFO_TLS_H
#define KTAP_DEBUGINFO_TLS_H

#include "translator/debuginfo/target.h"

struct tls {
	enum {
		TLS_NONE,          /* WHY: the reason */
		TLS_DISTANCE,      /* at DISTANCE from the thread pointer */
		TLS_DISTANCE_SLOT, /* at DISTANCE plus what is at SLOT */
		TLS_NUMBER_SLOT,   /* where the thread's vector says, which VECTOR leads to; at SLOT is the index */
	} kind;
	int64_t distance, vector;
	uint64_t slot;     /* as linked */
	const char *why;
};

/* Where threads have the data of the program or library T. */
struct tls program_tls(const struct target *t);
/* Returns the offset in the thread-local data of the program or library T that VALUE, from .debug_addr, means: gcc writes there the
 * address of the initial data. */
uint64_t program_tls_offset(const struct target *t, uint64_t value);

#endif

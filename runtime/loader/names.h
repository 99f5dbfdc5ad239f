/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses of the kernel's image, which handlers record as addresses. They never change: each is asked for once. */
#ifndef KT_LOADER_NAMES_H
#define KT_LOADER_NAMES_H

#include "runtime/loader/control.h"

struct names {
	void *tree; /* of <search.h> */
	kt_u32 n;
};

void names_deinit(struct names *n);

/* Forgets all when there are many. */
void names_trim(struct names *n);

/* The name of KIND of what is at ADDRESS. Valid until names_trim(). */
const char *names_get(struct names *n, struct control *c, kt_u64 address, enum kt_name_kind kind);

/* Adds the LEN bytes of TEXT as a name, unless it is known. */
void names_add(struct names *n, kt_u64 address, enum kt_name_kind kind, const char *text, kt_u32 len);
/* Returns the name, NULL: it was not added. */
const char *names_known(const struct names *n, kt_u64 address, enum kt_name_kind kind);

#endif

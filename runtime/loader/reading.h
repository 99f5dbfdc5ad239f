/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the files that programs are made of, which anybody may own: a process without rights reads them. */
#ifndef KT_LOADER_READING_H
#define KT_LOADER_READING_H

#include "runtime/loader/apart.h"

/* A file whose tables are wanted. */
struct reading {
	const char *path;     /* to open it by */
	const char *name;     /* of the object: its path as the kernel says it */
	bool lines;           /* with its line tables */
};

/* Makes the tables of R, and of its separate debugging information where that is installed. *RET_FD: the open file, or -1 if it cannot be
 * opened. Returns NULL, or the reason of a failure. */
const char *reading_make(struct object *o, const struct reading *r, struct libraries *l, const struct apart_limits *limits, int *ret_fd);

#endif

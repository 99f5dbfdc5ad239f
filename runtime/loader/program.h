/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads from the headers of a program how its processes start. */
#ifndef KT_LOADER_PROGRAM_H
#define KT_LOADER_PROGRAM_H

#include "runtime/loader/apart.h"

struct program_head {
	int fd;            /* the file, or -1 */
	kt_u64 entry;      /* the offset of its first instruction in the file; 0: unknown, or it is a program of 32 bits */
	char *interpreter; /* the path of the dynamic loader that it asks for, or NULL */
};

/* Reads the file PATH in a process without rights: its owner can change it, and its file system can keep a read waiting. Returns NULL, or the
 * reason of a failure. */
const char *program_head_read(struct program_head *p, const char *path, const struct apart_limits *limits);
void program_head_close(struct program_head *p);

#endif

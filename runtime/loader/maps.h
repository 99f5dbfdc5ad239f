/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads which files a process has mapped as code. */
#ifndef KT_LOADER_MAPS_H
#define KT_LOADER_MAPS_H

#include "runtime/loader/apart.h"

struct mapping {
	unsigned long start, end;
	unsigned int major, minor;
	unsigned long inode;
	const char *path;
};

/* The text of /proc/PID/maps, of which maps_next() takes lines. */
struct maps {
	struct object text;
	size_t at;
};

/* Reads the file PATH, /proc/PID/maps, in another process, because a program can hold the lock of its mappings without end. Returns
 * NULL, or the reason of a failure. A process that has ended has no mappings. */
const char *maps_open(struct maps *m, const char *path, struct libraries *l, const struct apart_limits *limits);
/* Takes the next mapping of a file with code. RET is valid until maps_close(). */
bool maps_next(struct maps *m, struct mapping *ret);
void maps_close(struct maps *m);

#endif

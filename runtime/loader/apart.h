/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of objects are made by a process without rights: the owner of a traced program may write its files as he likes, also while
 * they are read. A reader that crashes, spins or lies costs that program its names, and the session goes on.
 *
 *	parent                        reader
 *	apart_read()   -- fork -->    finds the file: that may wait for ever, and so may all that follows
 *	               <-- file --    sends it and opens it: apart_open()
 *	                              apart_drop_rights()
 *	               <-- id ----    apart_ask(): is there debugging information of this build?
 *	               -- file -->
 *	               <- tables -    or the reason why there are none
 */
#ifndef KT_LOADER_APART_H
#define KT_LOADER_APART_H

#include <stdbool.h>

#include "runtime/loader/libraries.h"
#include "runtime/loader/object.h"

/* The reader's side. */
struct apart {
	int channel;
	struct libraries *libraries;
};

/* What the reader does: makes the tables O, or returns the reason why there are none. It must not write to memory that outlives it. */
typedef const char *apart_fn(struct apart *a, struct object *o, const void *arg);

/* Whose readings may be cut short. */
struct apart_limits {
	bool (*over)(void *data); /* asked ten times a second: shall the session end? NULL: it does not */
	void *data;
	double seconds;           /* that the reader may take, 0: as long as it likes */
};

/* Returns the descriptor of the file that has the debugging information of BUILD_ID, or -1. */
typedef int apart_find_fn(const char *build_id);

/* Runs FN in a new process without rights, and checks the tables of NAME that it sends. NAME NULL: it makes another block, which is not
 * checked. FIND answers apart_ask(), *RET_FD gets the file of
 * apart_send_file(), or -1; each may be NULL. Returns NULL, or the reason of a failure. */
const char *apart_read(struct object *o, apart_fn *fn, const void *arg, const char *name, struct libraries *l,
		       const struct apart_limits *limits, apart_find_fn *find, int *ret_fd);

/* Of the reader. Sends the file FD, which the parent must not wait for when it closes it: one of find_regular(). */
void apart_send_file(struct apart *a, int fd);
/* Finds the regular file PATH, sends it and opens it for reading. Returns a descriptor, or -errno as open_regular(). */
int apart_open(struct apart *a, const char *path);
/* From here on the reader can read files that are open, get memory and answer, and nothing else. */
void apart_drop_rights(struct apart *a);
/* Returns the descriptor of the file that the parent finds for BUILD_ID, or -1. */
int apart_ask(struct apart *a, const char *build_id);

#endif

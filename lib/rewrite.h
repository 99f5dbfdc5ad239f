/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is read and then replaced. Its path is resolved once, so that a user who can exchange the file or a directory above it
 * meanwhile does not choose which file is overwritten. */
#ifndef KTAP_LIB_REWRITE_H
#define KTAP_LIB_REWRITE_H

#include <stdio.h>
#include <sys/stat.h>

#include "lib/text.h"

struct rewrite {
	FILE *file;       /* open for reading */
	int dir;          /* its directory, O_PATH */
	const char *name; /* in the directory (program_arena) */
	struct stat st;   /* of the open file */
};

/* Opens the regular file that PATH leads to, through symbolic links. Returns 0 or -errno; then there is nothing to close. */
int rewrite_open(struct rewrite *r, const char *path);
void rewrite_close(struct rewrite *r);

/* Replaces the file with a new one of the content T. It keeps the permissions, and the owner where that is allowed; a set-user-ID bit
 * is lost. Returns 0 or -errno: -ESTALE if another file has its name by now. */
int rewrite_text(const struct rewrite *r, const struct text *t);

/* Writes T to the file PATH that a user named: a regular file is replaced and keeps its permissions, a symbolic link stays one, and
 * what is no regular file, such as /dev/null, is written to. Returns 0 or -errno. */
int rewrite_path(const struct text *t, const char *path);

#endif

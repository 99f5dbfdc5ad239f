/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which directories and files nobody but root and this user can change: ktap compiles, loads and runs what it finds there. */
#ifndef KTAP_LIB_TRUST_H
#define KTAP_LIB_TRUST_H

#include <stdbool.h>

enum trust_flags {
	TRUST_MAKE = 1,   /* create the directories that are missing, mode 0700 */
	TRUST_STICKY = 2, /* the directory may be like /tmp: everybody creates entries, nobody changes those of others */
};

/* Walks PATH from the root, one component at a time. Each directory and symbolic link on the way must belong to root or to
 * the effective user, and nobody else may write to it: then no other user can exchange any of them later, and the path that
 * was found can be used by name. Returns it in *ret_real (program_arena), without symbolic links, and 0; else -errno with the
 * reason in *ret_why (program_arena). A relative PATH starts at the working directory, which is walked too. */
int trust_dir(const char *path, unsigned int flags, const char **ret_real, const char **ret_why);

/* True if the open file FD is a regular file that belongs to root or to the effective user and that nobody else can write. */
bool trust_fd(int fd, const char **ret_why);

/* Opens the file PATH for reading if its directory and the file can be trusted. Returns a descriptor, or -errno with *ret_why set:
 * -ENOENT when the file does not exist. */
int trust_open(const char *path, const char **ret_why);

#endif

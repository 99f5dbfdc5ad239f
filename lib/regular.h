/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that somebody else named: users and their programs choose the path, so it may lead to a FIFO or a device. */
#ifndef KTAP_LIB_REGULAR_H
#define KTAP_LIB_REGULAR_H

/* Opens the regular file PATH for reading. Anything else is not opened at all: a FIFO would block, and opening a device can have
 * effects, as that of a watchdog has. Returns a descriptor, or -errno: -EINVAL if PATH is not a regular file. */
int open_regular(const char *path);
/* Finds the regular file PATH and does not open it. Returns a descriptor of O_PATH, or -errno as open_regular(). To close it asks no file
 * system, while a file that is open can wait for its server there. */
int find_regular(const char *path);
/* Opens the file of find_regular()'s descriptor FOUND for reading. Returns a descriptor, or -errno. */
int open_found(int found);
/* Returns the reason why open_regular() returned ERR. */
const char *regular_failure(int err);

#endif

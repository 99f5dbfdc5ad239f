/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data that the readers keep between runs in the ktap cache directory: the function index, BTF taken from boot images. */
#ifndef KTAP_DEBUGINFO_STORE_H
#define KTAP_DEBUGINFO_STORE_H

#include <stddef.h>

/* Path of the kept file NAME, to be freed; NULL: there is no cache directory that is ours alone. */
char *store_path(const char *name);
/* Maps the kept file NAME for reading. NULL: there is none that we wrote. */
void *store_map(const char *name, size_t *ret_size);
void store_unmap(void *p, size_t size);
/* Keeps SIZE bytes as NAME. Failing costs the next run some time, so it is not an error. */
void store_write(const char *name, const void *p, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mapped files whose owner may cut them short while they are read, or whose disk may fail: the process would get SIGBUS. */
#ifndef KTAP_LIB_MAPPED_H
#define KTAP_LIB_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

/* From now on, bytes of the private mapping AT that cannot be read are zeros. PATH is copied. */
void mapped_begin(const char *path, const void *at, size_t size);
/* Call it before the mapping goes. Returns whether all bytes could be read. AT that is not registered is ignored. */
bool mapped_end(const void *at);
/* The path of the first file, of all, that could not be read to its end; NULL: none. */
const char *mapped_cut(void);

#endif

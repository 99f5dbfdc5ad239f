/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections that are packed. */
#ifndef KT_LOADER_UNPACK_H
#define KT_LOADER_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/loader/libraries.h"

/* Unpacks the SIZE bytes at FROM, packed as the ch_type HOW says, to TO, which they must fill. False: they do not, or the
 * library that can is not installed. */
bool unpack(struct libraries *l, unsigned int how, const unsigned char *from, size_t size, unsigned char *to, size_t to_size);

#endif

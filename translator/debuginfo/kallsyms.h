/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol table that a kernel carries for itself (CONFIG_KALLSYMS). */
#ifndef KTAP_DEBUGINFO_KALLSYMS_H
#define KTAP_DEBUGINFO_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/text.h"

/* Appends the symbols of the unpacked kernel image to OUT, in the form of a System.map. False: the image has none, or keeps them in a way
 * that is not known. */
bool kallsyms_read(const char *image, size_t size, struct text *out);

#endif

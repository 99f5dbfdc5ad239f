/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel that were renamed since old scripts were written. The table is renamed.def. */
#ifndef KTAP_PROBE_RENAMED_H
#define KTAP_PROBE_RENAMED_H

#include <stdbool.h>

/* Returns the function that took the place of the function OLD, and of which HAS is true; NULL: none is known. */
const char *renamed_function(const char *old, bool (*has)(const char *name, void *data), void *data);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A build that failed for want of room, memory or processes: the same build may do well later. */
#ifndef KTAP_MODULE_STARVED_H
#define KTAP_MODULE_STARVED_H

#include <stdbool.h>

#include "lib/text.h"

/* Do the programs of a build say in OUT what they had too little of? Then it is reported: WHAT was to be made in DIR, which is
 * removed. False: they do not, and nothing is done. */
bool starved_report(const struct text *out, const char *what, const char *dir);

#endif

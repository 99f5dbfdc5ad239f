/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugging information from debuginfod servers. */
#ifndef KTAP_DEBUGINFO_FETCH_H
#define KTAP_DEBUGINFO_FETCH_H

#include <stdbool.h>

/* Are there servers to ask, and the library to ask them with? */
bool fetch_possible(void);

/* Path of a local copy of the debugging information of the build BUILD_ID (hex, NULL: unknown), NULL: no server has it. OF: whose,
 * for the status line. A server that fails is reported as a warning, and not asked again in this run. */
const char *fetch_debuginfo(const char *build_id, const char *of);

#endif

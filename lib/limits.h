/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of setrlimit(2) that a program of ktap cannot run under. */
#ifndef KTAP_LIB_LIMITS_H
#define KTAP_LIB_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

/* Gives this process the stack that it needs, and time between the limit on processor time and its death. Call it early in main().
 * False: a limit is too small, which was reported. */
bool limits_begin(void);

/* Limits RESOURCE to VALUE for this process and the processes that it starts. limits_restore() keeps the limit. Returns NULL, or why it is
 * not set. */
const char *limits_set(int resource, const char *value);

/* Returns whether this process has a limit on RESOURCE. */
static inline bool limits_has(int resource)
{
	struct rlimit l;

	return !getrlimit(resource, &l) && l.rlim_cur != RLIM_INFINITY;
}

/* Gives back the limits as they were, in a process that will execute another program. */
void limits_restore(void);

#endif

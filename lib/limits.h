/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of setrlimit(2) that a program of ktap cannot run under. */
#ifndef KTAP_LIB_LIMITS_H
#define KTAP_LIB_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

/* The limits that limits_begin() changes, as they were. */
struct limits {
	struct rlimit stack, time;
};

/* Gives this process the stack that it needs, and time between the limit on processor time and its death. Call it early in main().
 * RET gets the limits as they were. False: a limit is too small, which was reported. */
bool limits_begin(struct limits *ret);

/* Limits RESOURCE to VALUE for this process and the processes that it starts. limits_restore() of BEFORE keeps
 * the limit. Returns NULL, or why it is not set. */
const char *limits_set(struct limits *before, int resource, const char *value);

/* Returns whether this process has a limit on RESOURCE. */
static inline bool limits_has(int resource)
{
	struct rlimit l;

	return !getrlimit(resource, &l) && l.rlim_cur != RLIM_INFINITY;
}

/* Gives back the limits L, in a process that will execute another program. Does nothing for NULL. */
void limits_restore(const struct limits *l);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock for deadlines and durations. */
#ifndef KTAP_LIB_CLOCK_H
#define KTAP_LIB_CLOCK_H

#include <time.h>

/* Returns seconds of CLOCK_MONOTONIC. */
static inline double clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif

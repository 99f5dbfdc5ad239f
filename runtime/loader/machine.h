/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load of all sessions of the machine together. */
#ifndef KT_LOADER_MACHINE_H
#define KT_LOADER_MACHINE_H

#include <stdbool.h>

#include "lib/text.h"
#include "runtime/abi.h"
#include "runtime/loader/sys.h"

struct machine_watch {
	double next; /* look; seconds */
	int over;    /* looks in a row that found too much */
};

/* Returns whether the session of module NAME, whose handlers take LOAD (thousandths) of one CPU, has to end, at the time NOW: the sessions
 * together take too much of a CPU, and none of them began later. REASON then has the message. */
bool machine_is_over(struct machine_watch *w, const struct loader_sys *sys, const char *name, kt_u32 load, double now, struct text *reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far arming is, for whoever waits for it. */
#ifndef KT_LOADER_PROGRESS_H
#define KT_LOADER_PROGRESS_H

#include <stdbool.h>

#include "runtime/loader/control.h"

struct progress {
	bool verbose;
	double began; /* clock_seconds() */
	double said;
};

/* The start begins now. */
void progress_init(struct progress *p, bool verbose);

/* Shows the number of armed places when nothing was shown for a while. To be called often. */
void progress_show(struct progress *p, struct control *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows on standard error how far arming is, while it takes long: on a terminal one line that is overwritten, with -v a line
 * from time to time.
 */
#include "runtime/loader/progress.h"

#include <stdio.h>

#include "lib/clock.h"
#include "lib/status.h"

/* Seconds of silence: before the first line and between two on a terminal, between two with -v. */
static const double terminal_seconds = 1, verbose_seconds = 10;

void progress_init(struct progress *p, bool verbose)
{
	*p = (struct progress){ .verbose = verbose, .began = clock_seconds() };
	p->said = p->began;
}

void progress_show(struct progress *p, struct control *c)
{
	double now = clock_seconds(), silence = status_is_on() ? terminal_seconds : verbose_seconds;
	struct kt_status st;

	if ((!status_is_on() && !p->verbose) || now - p->said < silence || control_status(c, &st) < 0)
		return;
	p->said = now;
	if (status_is_on())
		status_show("%u of %u places found, %u armed; Ctrl-C stops", st.probes_found, c->info.n_rows, st.probes_armed);
	else
		fprintf(stderr, "ktaprun: %u of %u places found, %u armed\n", st.probes_found, c->info.n_rows, st.probes_armed);
}

/* Shows on standard error how far arming is, while it takes long: on a terminal one line that is overwritten, with -v a line
 * from time to time.
 */
#include "runtime/loader/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds of silence: before the first line and between two on a terminal, between two with -v. */
static const double terminal_seconds = 1, verbose_seconds = 10;

double progress_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void progress_init(struct progress *p, bool verbose)
{
	*p = (struct progress){ .verbose = verbose, .terminal = isatty(STDERR_FILENO), .began = progress_clock() };
	p->said = p->began;
}

void progress_show(struct progress *p, struct control *c)
{
	double now = progress_clock(), silence = p->terminal ? terminal_seconds : verbose_seconds;
	struct kt_status st;

	if ((!p->terminal && !p->verbose) || now - p->said < silence || control_status(c, &st) < 0)
		return;
	p->said = now;
	fprintf(stderr, "ktaprun: %u of %u places armed%s", st.probes_armed, c->info.n_rows, p->terminal ? "\r" : "\n");
	p->shown = p->terminal;
}

void progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints status lines. One line at most is open: a line without its newline, which status_clear() removes. */
#include "translator/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double silence = 1; /* seconds before the line of some work is shown, and until it is shown again */

bool status_on;

static bool is_open; /* a line is to be removed */
static char work[200];
static double began, shown; /* the work, and when it was shown last */

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static bool can_overwrite(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb");
}

void status_init(bool quiet)
{
	status_on = !quiet && isatty(STDERR_FILENO);
}

void status_say(const char *fmt, ...)
{
	va_list ap;

	if (!status_on)
		return;
	status_clear();
	fputs("ktap: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* The line is cut: one that a terminal of 80 columns breaks would not be overwritten. */
void status_show(const char *fmt, ...)
{
	char line[74];
	va_list ap;

	if (!status_on || !can_overwrite())
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "\rktap: %s\033[K", line);
	is_open = true;
}

void status_clear(void)
{
	if (is_open)
		fputs("\r\033[K", stderr);
	is_open = false;
}

void status_begin(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(work, sizeof(work), fmt, ap);
	va_end(ap);
	began = shown = now();
}

void status_tick(void)
{
	double t;

	if (!status_on || !*work || (t = now()) - shown < silence)
		return;
	if (can_overwrite())
		status_show("%s: %.0f s", work, t - began);
	else if (began == shown)
		status_say("%s", work);
	shown = t;
}

void status_end(void)
{
	status_clear();
	*work = 0;
}

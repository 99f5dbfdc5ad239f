/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints status lines. One line at most is open: a line without its newline, which status_clear() removes. */
#include "lib/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/text.h"

static const double silence = 1; /* seconds before the line of some work is shown, and until it is shown again */

bool status_on;

enum { DEPTH_MAX = 4 };

static bool is_open; /* a line is to be removed */
static struct work {
	char name[200];
	double began, shown; /* shown last */
} works[DEPTH_MAX];
static int depth; /* works that have begun; the last one is shown */

static bool can_overwrite(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb");
}

void status_init(bool quiet)
{
	status_on = !quiet && isatty(STDERR_FILENO);
}

/* Prints BEFORE, the message without control characters, and AFTER. Names in it may come from files of other users. */
static void put_clean(const char *before, const char *message, const char *after)
{
	struct text t = { 0 };

	text_put_clean(&t, message, strlen(message));
	fprintf(stderr, "%s%s%s", before, text_str(&t), after);
	text_deinit(&t);
}

void status_say(const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	if (!status_on)
		return;
	status_clear();
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	put_clean("ktap: ", text_str(&t), "\n");
	text_deinit(&t);
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
	put_clean("\rktap: ", line, "\033[K");
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

	if (depth < DEPTH_MAX)
		depth++;
	va_start(ap, fmt);
	vsnprintf(works[depth - 1].name, sizeof(works[0].name), fmt, ap);
	va_end(ap);
	works[depth - 1].began = works[depth - 1].shown = clock_seconds();
}

void status_tick_at(const char *fmt, ...)
{
	struct work *w = &works[depth ? depth - 1 : 0];
	char at[80];
	va_list ap;
	double t;

	if (!status_on || !depth || (t = clock_seconds()) - w->shown < silence)
		return;
	va_start(ap, fmt);
	vsnprintf(at, sizeof(at), fmt, ap);
	va_end(ap);
	if (can_overwrite())
		status_show("%s%s: %.0f s", w->name, at, t - w->began);
	else if (w->began == w->shown)
		status_say("%s", w->name);
	w->shown = t;
}

void status_tick(void)
{
	status_tick_at("%s", "");
}

void status_end(void)
{
	status_clear();
	if (depth)
		depth--;
}

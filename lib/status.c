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

enum { DEPTH_MAX = 4 };

struct work {
	char name[200];
	double began, shown; /* shown last */
};

struct status {
	bool on;
	bool is_open; /* a line is to be removed */
	struct work works[DEPTH_MAX];
	int depth;    /* works that have begun; the last one is shown */
};

static struct status status; /* of this process: diagnostics that it prints remove the line */

static bool can_overwrite(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb");
}

void status_init(bool quiet)
{
	status.on = !quiet && isatty(STDERR_FILENO);
}

void status_set(bool on)
{
	status.on = on;
}

bool status_is_on(void)
{
	return status.on;
}

/* Prints BEFORE, the message without control characters, and AFTER. Names in it may come from files of other users. */
static void put_clean(const char *before, const char *message, const char *after)
{
	struct text t = { 0 };

	text_put_clean(&t, message, strlen(message));
	fprintf(stderr, "%s%s%s", before, text_str(&t), after);
	text_deinit(&t);
}

static void clear(struct status *s)
{
	if (s->is_open)
		fputs("\r\033[K", stderr);
	s->is_open = false;
}

static void say(struct status *s, const char *message)
{
	clear(s);
	put_clean("ktap: ", message, "\n");
}

/* The line is cut: one that a terminal of 80 columns breaks would not be overwritten. */
static void show(struct status *s, const char *message)
{
	char line[74];

	snprintf(line, sizeof(line), "%s", message);
	put_clean("\rktap: ", line, "\033[K");
	s->is_open = true;
}

/* Returns the work that the line shows, or NULL. */
static struct work *shown_work(struct status *s)
{
	return s->on && s->depth ? &s->works[s->depth - 1] : NULL;
}

void status_say(const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	if (!status.on)
		return;
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	say(&status, text_str(&t));
	text_deinit(&t);
}

void status_show(const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	if (!status.on || !can_overwrite())
		return;
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	show(&status, text_str(&t));
	text_deinit(&t);
}

void status_clear(void)
{
	clear(&status);
}

void status_begin(const char *fmt, ...)
{
	struct status *s = &status;
	struct work *w;
	va_list ap;

	if (s->depth < DEPTH_MAX)
		s->depth++;
	w = &s->works[s->depth - 1];
	va_start(ap, fmt);
	vsnprintf(w->name, sizeof(w->name), fmt, ap);
	va_end(ap);
	w->began = w->shown = clock_seconds();
}

void status_tick_at(const char *fmt, ...)
{
	struct work *w = shown_work(&status);
	struct text line = { 0 };
	va_list ap;
	double t;

	if (!w || (t = clock_seconds()) - w->shown < silence)
		return;
	text_printf(&line, "%s", w->name);
	va_start(ap, fmt);
	text_vprintf(&line, fmt, ap);
	va_end(ap);
	text_printf(&line, ": %.0f s", t - w->began);
	if (can_overwrite())
		show(&status, text_str(&line));
	else if (w->began == w->shown)
		say(&status, w->name);
	w->shown = t;
	text_deinit(&line);
}

void status_tick(void)
{
	status_tick_at("%s", "");
}

void status_end(void)
{
	clear(&status);
	if (status.depth)
		status.depth--;
}

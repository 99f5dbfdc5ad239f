/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family signal: session.signal(NAME), a handler for when ktaprun gets a signal that it does not use itself. The session goes on.
 */
#include "translator/probe/probe.h"

#include <signal.h>
#include <string.h>

struct signal {
	const char *name; /* without SIG */
	int number;
};

/* INT, TERM and HUP end a session, USR2 begins a new output file. */
static const struct signal signals[] = {
	{ "USR1", SIGUSR1 },
	{ "CONT", SIGCONT },
	{ "WINCH", SIGWINCH },
	{ NULL, 0 },
};

/* Of --control, see sema/reset.c: ktaprun never gets it as a signal. */
static const struct signal reset = { "reset", KT_SIGNAL_RESET };

static const struct probe_pattern patterns[] = {
	{ "session.signal(string)", 0 },
	{ NULL, 0 },
};

static bool resolve(struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 1);
	const char *name = strncmp(arg->text, "SIG", 3) ? arg->text : arg->text + 3;

	if (r->def->synthetic) {
		probe_add(r, &probe_family_signal, probe_point_text(r->point), (void *)&reset);
		return true;
	}
	for (const struct signal *s = signals; s->name; s++)
		if (!strcmp(s->name, name)) {
			probe_add(r, &probe_family_signal, probe_point_text(r->point), (void *)s);
			return true;
		}
	error(arg->loc, DIAG_PROBE_ARG, "no probe can have signal '%s', expected USR1, CONT or WINCH", arg->text);
	note(arg->loc, "INT, TERM and HUP end the session: use 'probe end'; USR2 starts a new output file");
	return false;
}

static unsigned long long wants(const struct probe *pr)
{
	const struct signal *s = pr->data;

	return 1ull << s->number;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct signal *s = pr->data;

	text_printf(t, "{ .probe = %d, .number = %d },", pr->index, s->number);
}

static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct signal *s = pr->data;

	*ret = (struct probe_attach){ .kind = IMAGE_COLD, .how = s->number };
	return true;
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct signal *s = pr->data;

	text_printf(t, "a signal to ktaprun: SIG%s", s->name);
}

const struct probe_family probe_family_signal = {
	.name = "signal",
	.id = KT_FAMILY_SIGNAL,
	.patterns = patterns,
	.user_runtime = true,
	.resolve = resolve,
	.wants = wants,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
};

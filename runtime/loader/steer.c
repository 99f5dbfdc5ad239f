/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/loader/steer.h"

#include "lib/arena.h"
#include "lib/status.h"

void steer_init(struct steer *s, bool on)
{
	s->commands.fd = -1;
	if (on)
		commands_open(&s->commands);
}

void steer_deinit(struct steer *s)
{
	commands_close(&s->commands);
	free(s->probes);
	free(s->line);
}

/* ---- answers ---- */

static void answer(struct printer *p, const char *line, kt_u32 switched, const char *error)
{
	output_flush(p->output);
	status_clear();
	command_answer(&p->events, "ktaprun", line, switched, error);
	output_flush(p->output);
}

static void describe(void *control, kt_u32 index, struct event_listed *ret)
{
	struct kt_probe_status s;

	if (control_probe(control, index, &s) || s.flags & (KT_PROBE_OURS | KT_PROBE_ENTRY))
		return;
	*ret = (struct event_listed){ control_text(control, KT_TEXT_PROBE, index), s.off };
}

static void list(struct printer *p)
{
	output_flush(p->output);
	status_clear();
	command_list(&p->events, describe, p->control, p->control->info.n_probes);
	output_flush(p->output);
}

/* ---- commands ---- */

static void reset(struct printer *p, const char *line)
{
	struct control *c = p->control;
	kt_u32 number = KT_SIGNAL_RESET;

	if (!(c->info.signals & 1ull << KT_SIGNAL_RESET))
		answer(p, line, 0, COMMAND_NO_RESET);
	else
		answer(p, line, 0, control_ask(c, KT_IOC_SIGNAL, &number) < 0 ? strerror(errno) : NULL);
}

/* Chooses the probes that COMMAND means. */
static bool choose(struct steer *s, struct printer *p, const char *line, const struct session_command *command)
{
	struct control *c = p->control;
	struct kt_probe_status status;

	free(s->probes);
	free(s->line);
	s->line = xstrdup(line);
	s->probes = xmalloc((c->info.n_probes + 1ul) * sizeof(*s->probes));
	s->request = (struct kt_switch){ .probes = (kt_u64)(unsigned long)s->probes, .off = command->kind == COMMAND_DISARM };
	for (kt_u32 i = 0; i < c->info.n_probes; i++)
		if (!control_probe(c, i, &status) && command_means(command, i, control_text(c, KT_TEXT_PROBE, i), status.flags))
			s->probes[s->request.n++] = i;
	if (!s->request.n)
		answer(p, line, 0, COMMAND_NONE_MEANT);
	return s->request.n;
}

bool steer_next(struct steer *s, struct printer *p)
{
	char *line;

	while ((line = commands_line(&s->commands))) {
		char copy[COMMAND_MAX];
		struct session_command command;
		const char *wrong;

		strcpy(copy, line);
		wrong = command_parse(&s->commands, line, &command);
		if (wrong)
			answer(p, copy, 0, wrong);
		else if (command.kind == COMMAND_LIST)
			list(p);
		else if (command.kind == COMMAND_RESET)
			reset(p, copy);
		else if (command.kind < COMMAND_KINDS && choose(s, p, copy, &command))
			return true;
	}
	return false;
}

/* Probes that the overload guard stopped stay so. */
static kt_u32 overloaded(const struct steer *s, const struct printer *p)
{
	struct kt_probe_status status;
	kt_u32 n = 0;

	for (kt_u32 i = 0; i < s->request.n; i++)
		n += !control_probe(p->control, s->probes[i], &status) && status.off & KT_OFF_OVERLOAD;
	return n;
}

void steer_switched(struct steer *s, struct printer *p, int result)
{
	kt_u32 stopped = s->request.off ? 0 : overloaded(s, p);
	char wrong[128] = "";

	if (result == -EBUSY)
		snprintf(wrong, sizeof(wrong), "the session is ending");
	else if (result)
		snprintf(wrong, sizeof(wrong), "%s", strerror(-result));
	else if (s->request.refused)
		snprintf(wrong, sizeof(wrong), "the kernel refused at %u places", s->request.refused);
	else if (stopped)
		snprintf(wrong, sizeof(wrong), "the overload guard stopped %u of %u probes for good", stopped, s->request.n);
	answer(p, s->line, s->request.n, *wrong ? wrong : NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control in a process: the commands of runtime/commands.h. A disarmed probe has a handler that does nothing, as in a module. */
#include <stdlib.h>

#include "runtime/commands.h"
#include "runtime/user/user.h"

static void handle_off(struct kt_ctx *c)
{
	(void)c;
}

bool user_switched_off(const struct user_steer *st, kt_u32 probe)
{
	return st->switched && st->switched[probe];
}

static void switch_probe(struct user_steer *st, kt_u32 probe, bool off)
{
	struct kt_probe *p = &kt_script.probes[probe];

	if (user_switched_off(st, probe) == off)
		return;
	if (off)
		st->switched[probe] = p->handler;
	p->handler = off ? handle_off : st->switched[probe];
	if (!off)
		st->switched[probe] = NULL;
}

/* ---- answers ---- */
static void answer(struct user_session *s, const char *line, kt_u32 n, const char *error)
{
	fflush(stdout);
	command_answer(&s->events, "ktap", line, n, error);
	fflush(stdout);
}

static void describe(void *steer, kt_u32 index, struct event_listed *ret)
{
	const struct kt_probe *p = &kt_script.probes[index];

	if (!(p->flags & (KT_PROBE_OURS | KT_PROBE_ENTRY)))
		*ret = (struct event_listed){ p->pp, user_switched_off(steer, index) ? KT_OFF_SWITCHED : 0 };
}

static void list(struct user_session *s)
{
	fflush(stdout);
	command_list(&s->events, describe, &s->steer, kt_script.n_probes);
	fflush(stdout);
}

/* ---- commands ---- */
static void switch_probes(struct user_session *s, const char *line, const struct session_command *command)
{
	kt_u32 n = 0;

	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		if (!command_means(command, i, kt_script.probes[i].pp, kt_script.probes[i].flags))
			continue;
		switch_probe(&s->steer, i, command->kind == COMMAND_DISARM);
		n++;
	}
	answer(s, line, n, n ? NULL : COMMAND_NONE_MEANT);
}

static void carry_out(struct user_session *s, char *line)
{
	char copy[COMMAND_MAX];
	struct session_command command;
	const char *wrong;

	strcpy(copy, line);
	wrong = command_parse(&s->steer.commands, line, &command);
	if (wrong)
		answer(s, copy, 0, wrong);
	else if (command.kind == COMMAND_LIST)
		list(s);
	else if (command.kind == COMMAND_RESET)
		answer(s, copy, 0, s->steer.signal(s, KT_SIGNAL_RESET) ? NULL : COMMAND_NO_RESET);
	else if (command.kind < COMMAND_KINDS)
		switch_probes(s, copy, &command);
}

bool user_steer_init(struct user_steer *st, bool (*signal)(struct user_session *s, kt_u32 number))
{
	st->signal = signal;
	st->switched = calloc(kt_script.n_probes + 1ul, sizeof(*st->switched));
	commands_open(&st->commands);
	return st->switched;
}

int user_steer_fd(const struct user_steer *st)
{
	return st->switched ? st->commands.fd : -1;
}

void user_steer(struct user_session *s)
{
	char *line;

	commands_read(&s->steer.commands);
	while ((line = commands_line(&s->steer.commands)))
		carry_out(s, line);
}

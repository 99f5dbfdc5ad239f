/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control in a process: the commands of runtime/commands.h. A disarmed probe has a handler that does nothing, as in a module. */
#include <stdlib.h>

#include "runtime/commands.h"
#include "runtime/user/user.h"

static struct events *events;
static bool (*reset)(kt_u32 number);         /* has the handlers of signal NUMBER run */
static void (**switched)(struct kt_ctx *c); /* by probe: the handler that handle_off() replaced; NULL: the probe is armed */

static void handle_off(struct kt_ctx *c)
{
	(void)c;
}

bool user_switched_off(kt_u32 probe)
{
	return switched && switched[probe];
}

static void switch_probe(kt_u32 probe, bool off)
{
	struct kt_probe *p = &kt_script.probes[probe];

	if (user_switched_off(probe) == off)
		return;
	if (off)
		switched[probe] = p->handler;
	p->handler = off ? handle_off : switched[probe];
	if (!off)
		switched[probe] = NULL;
}

/* ---- answers ---- */
static void answer(const char *line, kt_u32 n, const char *error)
{
	fflush(stdout);
	command_answer(events, "ktap", line, n, error);
	fflush(stdout);
}

static void describe(void *unused, kt_u32 index, struct event_listed *ret)
{
	const struct kt_probe *p = &kt_script.probes[index];

	(void)unused;
	if (!(p->flags & (KT_PROBE_OURS | KT_PROBE_ENTRY)))
		*ret = (struct event_listed){ p->pp, user_switched_off(index) ? KT_OFF_SWITCHED : 0 };
}

static void list(void)
{
	fflush(stdout);
	command_list(events, describe, NULL, kt_script.n_probes);
	fflush(stdout);
}

/* ---- commands ---- */
static void switch_probes(const char *line, const struct session_command *command)
{
	kt_u32 n = 0;

	for (kt_u32 i = 0; i < kt_script.n_probes; i++) {
		if (!command_means(command, i, kt_script.probes[i].pp, kt_script.probes[i].flags))
			continue;
		switch_probe(i, command->kind == COMMAND_DISARM);
		n++;
	}
	answer(line, n, n ? NULL : COMMAND_NONE_MEANT);
}

static void carry_out(struct commands *c, char *line)
{
	char copy[COMMAND_MAX];
	struct session_command command;
	const char *wrong;

	strcpy(copy, line);
	wrong = command_parse(c, line, &command);
	if (wrong)
		answer(copy, 0, wrong);
	else if (command.kind == COMMAND_LIST)
		list();
	else if (command.kind == COMMAND_RESET)
		answer(copy, 0, reset(KT_SIGNAL_RESET) ? NULL : COMMAND_NO_RESET);
	else if (command.kind < COMMAND_KINDS)
		switch_probes(copy, &command);
}

static struct commands commands = { .fd = -1 };

bool user_steer_init(struct events *e, bool (*signal)(kt_u32 number))
{
	events = e;
	reset = signal;
	switched = calloc(kt_script.n_probes + 1ul, sizeof(*switched));
	commands_open(&commands);
	return switched;
}

int user_steer_fd(void)
{
	return commands.fd;
}

void user_steer(void)
{
	char *line;

	commands_read(&commands);
	while ((line = commands_line(&commands)))
		carry_out(&commands, line);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control: commands for a running session, one a line, on standard input:
 *
 *     disarm PROBE   arm PROBE   reset   list
 *
 * PROBE is the number of a probe, as `list` and the objects of -f json have it, or a pattern of fnmatch(3) for its point. Empty lines, and those
 * that begin with '#', are ignored. Each command gets one answer. ktaprun and the programs of --runtime=user share this file, which reads lines,
 * parses commands and chooses probes. Needs libc only.
 */
#ifndef KT_COMMANDS_H
#define KT_COMMANDS_H

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/output/events.h"

enum { COMMAND_MAX = 4096 };

enum command_kind { COMMAND_DISARM, COMMAND_ARM, COMMAND_RESET, COMMAND_LIST, COMMAND_KINDS };

static const char *const command_words[COMMAND_KINDS] = {
	[COMMAND_DISARM] = "disarm",
	[COMMAND_ARM] = "arm",
	[COMMAND_RESET] = "reset",
	[COMMAND_LIST] = "list",
};

struct session_command {
	enum command_kind kind;
	char *probe; /* of disarm and arm */
};

/* Where commands come from. */
struct commands {
	int fd;          /* -1: no more come */
	char buffer[COMMAND_MAX];
	size_t len;
	bool too_long;   /* the rest of a line that did not fit is dropped */
	char line[COMMAND_MAX]; /* the last one that was taken */
};

/* Moves standard input to a descriptor that no child gets: what the script starts reads no commands. */
static inline void commands_open(struct commands *c)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	c->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (null >= 0 && c->fd >= 0)
		dup2(null, STDIN_FILENO);
	if (null >= 0)
		close(null);
}

static inline void commands_close(struct commands *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* Reads what is there, once. Call it when poll() says so. */
static inline void commands_read(struct commands *c)
{
	ssize_t n;

	if (c->len == sizeof(c->buffer)) {
		c->too_long = true;
		c->len = 0;
	}
	n = read(c->fd, c->buffer + c->len, sizeof(c->buffer) - c->len);
	if (n > 0)
		c->len += (size_t)n;
	else if (!n || (errno != EINTR && errno != EAGAIN))
		commands_close(c);
}

/* Takes the next whole line. Returns c->line; NULL: no whole line has come. */
static inline char *commands_line(struct commands *c)
{
	char *end = memchr(c->buffer, '\n', c->len);
	size_t n = end ? (size_t)(end - c->buffer) : c->len;

	/* The last line may lack its end. */
	if (!end && (c->fd >= 0 || !c->len))
		return NULL;
	n = n < sizeof(c->line) ? n : sizeof(c->line) - 1;
	memcpy(c->line, c->buffer, n);
	c->line[n] = 0;
	c->len -= end ? n + 1 : c->len;
	memmove(c->buffer, c->buffer + n + 1, c->len);
	if (c->too_long)
		strcpy(c->line, "...");
	return c->line;
}

/* Parses LINE, the last one of C, and cuts it into words. Returns NULL, or an error. RET->kind is COMMAND_KINDS for an empty line. */
static inline const char *command_parse(struct commands *c, char *line, struct session_command *ret)
{
	size_t len;

	*ret = (struct session_command){ .kind = COMMAND_KINDS };
	if (c->too_long) {
		c->too_long = false;
		return "the line is too long";
	}
	while (isspace((unsigned char)*line))
		line++;
	for (len = strlen(line); len && isspace((unsigned char)line[len - 1]); len--)
		line[len - 1] = 0;
	if (!*line || *line == '#')
		return NULL;
	len = strcspn(line, " \t");
	ret->probe = line + len + strspn(line + len, " \t");
	for (int i = 0; i < COMMAND_KINDS; i++)
		if (strlen(command_words[i]) == len && !strncmp(line, command_words[i], len))
			ret->kind = (enum command_kind)i;
	if (ret->kind == COMMAND_KINDS)
		return "unknown command; there are disarm, arm, reset and list";
	if (ret->kind <= COMMAND_ARM && !*ret->probe)
		return "which probe? give its number or a pattern; 'list' shows them";
	return ret->kind > COMMAND_ARM && *ret->probe ? "no argument expected" : NULL;
}

/* Returns whether C means the probe INDEX, which has POINT and FLAGS. Probes that ktap added are never meant. */
static inline bool command_means(const struct session_command *c, kt_u32 index, const char *point, kt_u32 flags)
{
	if (flags & (KT_PROBE_OURS | KT_PROBE_ENTRY))
		return false;
	if (!c->probe[strspn(c->probe, "0123456789")])
		return strtoull(c->probe, NULL, 10) == index + 1ull;
	return !strcmp(c->probe, point) || !fnmatch(c->probe, point, FNM_NOESCAPE);
}

/* Returns the state of a probe with these bits of enum kt_off. */
static inline const char *command_state(kt_u32 off)
{
	return off & KT_OFF_OVERLOAD ? "overload" : off ? "disarmed" : "armed";
}

/* Answers the command LINE: how many probes it switched, or ERROR. PROGRAM begins a line of text. */
static inline void command_answer(struct events *e, const char *program, const char *line, kt_u32 switched, const char *error)
{
	if (e->on)
		events_command(e, line, switched, error);
	else if (error)
		fprintf(stderr, "%s: %s: %s\n", program, line, error);
	else if (switched)
		fprintf(stderr, "%s: %s: %u probe%s\n", program, line, switched, switched == 1 ? "" : "s");
	else
		fprintf(stderr, "%s: %s: done\n", program, line);
}

/* Answers `list`, as events_list() does; as text with the number, the state and the point of each probe. */
static inline void command_list(struct events *e, void (*probe)(void *of, kt_u32 index, struct event_listed *ret), void *of, kt_u32 n)
{
	if (e->on)
		events_list(e, probe, of, n);
	for (kt_u32 i = 0; i < n && !e->on; i++) {
		struct event_listed listed = { 0 };

		probe(of, i, &listed);
		if (listed.point)
			fprintf(stderr, "%6u  %-9s %s\n", i + 1, command_state(listed.off), listed.point);
	}
}

#define COMMAND_NONE_MEANT "no probe of the script is meant; 'list' shows them"
#define COMMAND_NO_RESET "the script was built without --control, or changes no global after it began"
#endif

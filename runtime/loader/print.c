/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats records with the runtime's own formatter, so that the bytes are those an in-kernel sprintf would have made. */
#include "runtime/loader/print.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/core/format.h"
#include "runtime/errors.h"
#include "translator/base/arena.h"

enum {
	FORMAT_ROOM = 1024, /* first try; the formatter says when it wants more */
	SEEN_MAX = 1024,    /* distinct warnings remembered; later ones are always shown */
};

struct warning {
	char *text;
};

void print_init(struct printer *p, struct control *c, struct output *o)
{
	*p = (struct printer){ .control = c, .output = o, .color = isatty(STDERR_FILENO),
		.nice = getpriority(PRIO_PROCESS, 0) };
}

void print_deinit(struct printer *p)
{
	for (int i = 0; i < p->n_seen; i++)
		free(p->seen[i].text);
	free(p->seen);
	p->seen = NULL;
	names_deinit(&p->names);
}

/* ---- stderr ---- */

/* One line on stderr, after all text that was printed before it. */
static void say(struct printer *p, const char *kind, const char *color, const char *line)
{
	struct text t = { 0 };
	const char *at;
	size_t left;

	output_flush(p->output);
	if (p->color)
		text_printf(&t, "\033[%sm%s:\033[0m %s\n", color, kind, line);
	else
		text_printf(&t, "%s: %s\n", kind, line);
	for (at = t.buf, left = t.len; left;) {
		ssize_t n = write(STDERR_FILENO, at, left);

		if (n < 0 && errno != EINTR)
			break;
		if (n > 0) {
			at += n;
			left -= (size_t)n;
		}
	}
	text_deinit(&t);
}

static bool is_repeated(struct printer *p, const char *line)
{
	for (int i = 0; i < p->n_seen; i++)
		if (!strcmp(p->seen[i].text, line))
			return true;
	if (p->n_seen < SEEN_MAX) {
		p->seen = xrealloc(p->seen, (size_t)(p->n_seen + 1) * sizeof(*p->seen));
		p->seen[p->n_seen++].text = xstrdup(line);
	}
	return false;
}

void print_warning(struct printer *p, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	if (p->no_warnings)
		return;
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	say(p, "WARNING", "1;35", text_str(&t));
	text_deinit(&t);
}

/* Writes where the functions were called that an error came through: " (called from A, from B)". */
static void print_callers(struct printer *p, struct text *t, const struct kt_arg *callers)
{
	kt_u32 place;

	for (kt_u32 at = 0; at + sizeof(place) <= callers->len; at += sizeof(place)) {
		memcpy(&place, callers->string + at, sizeof(place));
		text_printf(t, "%s %s", at ? ", from" : " (called from", control_text(p->control, KT_TEXT_PLACE, place));
	}
	text_puts(t, callers->len ? ")" : "");
}

/* Adds the line of the script where an error is or, if that is in the library, where it was called. Once for each place. */
static void explain(struct printer *p, struct text *t, kt_u32 kind, kt_u32 place, const struct kt_arg *callers)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *to;

	for (kt_u32 at = 0; place != KT_NO_PLACE && !*control_text(p->control, KT_TEXT_LINE, place) &&
	     at + sizeof(place) <= callers->len; at += sizeof(place))
		memcpy(&place, callers->string + at, sizeof(place));
	to = open_memstream(&text, &len);
	if (!to)
		return;
	error_explain(to, kind, place == KT_NO_PLACE ? NULL : control_text(p->control, KT_TEXT_PLACE, place),
		      place == KT_NO_PLACE ? NULL : control_text(p->control, KT_TEXT_LINE, place));
	if (!fclose(to) && !is_repeated(p, text))
		text_append(t, text, len);
}

/* What a message of the script says, and where. */
static void add_message(struct printer *p, struct text *t, const struct kt_record *rec, const struct kt_arg *message)
{
	text_append(t, message->string, message->len);
	if (rec->number != KT_NO_PLACE)
		text_printf(t, " near %s", control_text(p->control, KT_TEXT_PLACE, rec->number));
}

static void print_script_warning(struct printer *p, const struct kt_record *rec, const struct kt_arg *message)
{
	struct text t = { 0 };

	add_message(p, &t, rec, message);
	if (!p->no_warnings && (p->repeat || !is_repeated(p, text_str(&t))))
		say(p, "WARNING", "1;35", text_str(&t));
	text_deinit(&t);
}

static bool print_error(struct printer *p, const struct kt_record *rec, const char *data, kt_u32 size)
{
	struct kt_arg message, probe, callers;
	kt_u32 at = sizeof(kt_s64);
	struct text t = { 0 };
	kt_s64 kind;

	if (size < at || !kt_record_string(data, size, &at, &message) || !kt_record_string(data, size, &at, &probe) ||
	    !kt_record_string(data, size, &at, &callers))
		return false;
	memcpy(&kind, data, sizeof(kind));
	if (kind < 0 || kind >= KT_ERROR_KINDS)
		return false;
	add_message(p, &t, rec, &message);
	print_callers(p, &t, &callers);
	text_printf(&t, " in probe %.*s", (int)probe.len, probe.string);
	if (p->control->n_texts[KT_TEXT_LINE]) {
		text_printf(&t, " [%s]\n", error_kinds[kind].tag);
		explain(p, &t, (kt_u32)kind, rec->number, &callers);
		t.buf[--t.len] = 0; /* say() adds the last newline */
	}
	say(p, "ERROR", "1;31", text_str(&t));
	text_deinit(&t);
	return true;
}

/* ---- system() ---- */

static void run_command(struct printer *p, const struct kt_arg *command)
{
	_cleanup_free_ char *line = xasprintf("%.*s", (int)command->len, command->string);
	sigset_t none;
	pid_t pid;

	output_flush(p->output);
	pid = fork();
	if (pid == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		signal(SIGPIPE, SIG_DFL);
		setpriority(PRIO_PROCESS, 0, p->nice);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		p->commands++;
	else
		print_warning(p, "cannot run the command '%s': %s", line, strerror(errno));
}

/* ---- stdout ---- */

/* Gives the N arguments ARGS that are addresses their names. */
static void find_names(struct printer *p, struct kt_arg *args, kt_s32 n)
{
	names_trim(&p->names);
	for (kt_s32 i = 0; i < n; i++)
		if (args[i].name)
			args[i].string = names_get(&p->names, p->control, (kt_u64)args[i].number, args[i].name);
}

static void print_text(struct printer *p, const struct kt_record *rec, const char *data, kt_u32 size)
{
	const char *format = control_text(p->control, KT_TEXT_FORMAT, rec->number);
	struct kt_arg args[KT_ARGS_MAX];
	kt_s32 n = kt_format_record(format, data, size, args, KT_ARGS_MAX);
	char room[FORMAT_ROOM];
	kt_u32 len;

	if (n < 0) {
		p->malformed++;
		return;
	}
	find_names(p, args, n);
	len = kt_format(room, sizeof(room), format, args, (kt_u32)n);
	if (len < sizeof(room)) {
		output_append(p->output, room, len);
	} else {
		_cleanup_free_ char *big = xmalloc(len + 1ul);

		kt_format(big, len + 1, format, args, (kt_u32)n);
		output_append(p->output, big, len);
	}
}

/* Tables that a stack could have used. False: the record is malformed. */
static bool get_tables(struct printer *p, const char *data, kt_u32 size)
{
	kt_u32 at = 2 * sizeof(kt_s64);
	_cleanup_free_ char *name = NULL;
	kt_s64 number[2];
	struct kt_arg string;

	if (size < at || !kt_record_string(data, size, &at, &string))
		return false;
	memcpy(number, data, sizeof(number));
	name = xasprintf("%.*s", (int)string.len, string.string);
	if (p->stacks)
		stacks_met(p->stacks, number[0], (kt_u64)number[1], name);
	return true;
}

void print_record(struct printer *p, const struct kt_record *rec)
{
	const char *data = (const char *)(rec + 1);
	kt_u32 size = rec->size - (kt_u32)sizeof(*rec), at = 0;
	struct kt_arg first;
	bool ok = true;

	switch ((enum kt_record_kind)rec->kind) {
	case KT_REC_PAD:
		return;
	case KT_REC_PRINT:
		if (!p->output->broken)
			print_text(p, rec, data, size);
		return;
	case KT_REC_WARN:
		ok = kt_record_string(data, size, &at, &first);
		if (ok)
			print_script_warning(p, rec, &first);
		break;
	case KT_REC_ERROR:
		ok = print_error(p, rec, data, size);
		break;
	case KT_REC_SYSTEM:
		ok = kt_record_string(data, size, &at, &first);
		if (ok)
			run_command(p, &first);
		break;
	case KT_REC_SWITCH:
		if (!output_switch(p->output))
			print_warning(p, "switch_file(): there is no file of -o to follow");
		break;
	case KT_REC_OBJECT:
		ok = get_tables(p, data, size);
		break;
	case KT_REC_LOG:
		ok = kt_record_string(data, size, &at, &first);
		if (ok) {
			struct text line = { 0 };

			text_append(&line, first.string, first.len);
			text_puts(&line, "\n");
			output_append(p->output, line.buf, line.len);
			text_deinit(&line);
		}
		break;
	}
	p->malformed += !ok;
}

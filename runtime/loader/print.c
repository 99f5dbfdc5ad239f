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
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/limits.h"
#include "lib/vec.h"
#include "runtime/core/format.h"
#include "runtime/errors.h"

enum {
	FORMAT_ROOM = 1024, /* first try; the formatter says when it wants more */
	SEEN_MAX = 1024,    /* distinct warnings remembered; later ones are always shown */
};

struct warning {
	char *text;
};

static void write_output(void *output, const char *text, size_t len)
{
	output_append(output, text, len);
}

/* Writes messages, unless older text waits for the same pipe. */
static void flush_messages(struct printer *p)
{
	if (!p->one_file || !output_pending(p->output))
		output_flush(&p->messages);
}

/* What others than the printer write to stderr. */
static ssize_t keep_message(void *printer, const char *text, size_t len)
{
	struct printer *p = printer;

	text_append(&p->messages.text, text, len);
	flush_messages(p);
	return (ssize_t)len;
}

void print_init(struct printer *p, struct control *c, struct output *o)
{
	FILE *err = fopencookie(p, "w", (cookie_io_functions_t){ .write = keep_message });

	*p = (struct printer){ .control = c, .output = o, .color = isatty(STDERR_FILENO),
		.nice = getpriority(PRIO_PROCESS, 0), .stderr_before = err ? stderr : NULL };
	output_init(&p->messages, STDERR_FILENO);
	print_look_at_stderr(p);
	events_init(&p->events, write_output, o);
	if (err) {
		setvbuf(err, NULL, _IONBF, 0);
		stderr = err;
	}
}

void print_look_at_stderr(struct printer *p)
{
	struct stat out, err;

	output_look(&p->messages);
	p->one_file = !fstat(p->output->fd, &out) && !fstat(STDERR_FILENO, &err) && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

void print_flush(struct printer *p)
{
	output_flush(p->output);
	flush_messages(p);
}

void print_deinit(struct printer *p)
{
	for (int i = 0; i < p->n_seen; i++)
		free(p->seen[i].text);
	free(p->seen);
	free(p->commands);
	p->seen = NULL;
	events_deinit(&p->events);
	names_deinit(&p->names);
	if (p->stderr_before) {
		fclose(stderr);
		stderr = p->stderr_before;
	}
	output_deinit(&p->messages);
}

/* ---- stderr ---- */

/* One line on stderr, after all text that was printed before it as far as that was read. */
static void say(struct printer *p, const char *kind, const char *color, const char *line)
{
	if (p->color)
		text_printf(&p->messages.text, "\033[%sm%s:\033[0m %s\n", color, kind, line);
	else
		text_printf(&p->messages.text, "%s: %s\n", kind, line);
	print_flush(p);
}

static bool is_repeated(struct printer *p, const char *line)
{
	for (int i = 0; i < p->n_seen; i++)
		if (!strcmp(p->seen[i].text, line))
			return true;
	if (p->n_seen < SEEN_MAX) {
		vec_add(p->seen, p->n_seen)->text = xstrdup(line);
	}
	return false;
}

void print_warning(struct printer *p, const char *fmt, ...)
{
	_cleanup_text_ struct text t = { 0 };
	va_list ap;

	if (p->no_warnings)
		return;
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	if (p->events.on)
		events_warning(&p->events, 0, text_str(&t), t.len, NULL);
	text_clean(&t); /* names in it may come from files of other users */
	say(p, "WARNING", "1;35", text_str(&t));
}

static const char *place_text(void *control, kt_u32 place)
{
	return control_text(control, KT_TEXT_PLACE, place);
}

static const char *line_text(void *control, kt_u32 place)
{
	return control_text(control, KT_TEXT_LINE, place);
}

static void print_script_warning(struct printer *p, const struct kt_record *rec, const struct kt_arg *message)
{
	const char *place = rec->number != KT_NO_PLACE ? place_text(p->control, rec->number) : NULL;
	_cleanup_text_ struct text t = { 0 };

	text_append(&t, message->string, message->len);
	if (place)
		text_printf(&t, " near %s", place);
	if (!p->no_warnings && (p->repeat || !is_repeated(p, text_str(&t)))) {
		if (p->events.on)
			events_warning(&p->events, rec->time, message->string, message->len, place);
		say(p, "WARNING", "1;35", text_str(&t));
	}
}

/* False: the record is malformed. */
static bool read_error(const struct kt_record *rec, const char *data, kt_u32 size, struct error *ret)
{
	kt_u32 at = sizeof(kt_s64);
	kt_s64 kind;

	if (size < at || !kt_record_string(data, size, &at, &ret->message) || !kt_record_string(data, size, &at, &ret->probe) ||
	    !kt_record_string(data, size, &at, &ret->callers))
		return false;
	memcpy(&kind, data, sizeof(kind));
	ret->kind = (kt_u32)kind;
	ret->place = rec->number;
	return kind >= 0 && kind < KT_ERROR_KINDS;
}

/* Returns the advice for E; "" when it was printed before, or without memory. */
static char *explanation(struct printer *p, const struct error_texts *texts, const struct error *e)
{
	char *help = NULL;
	size_t n;
	FILE *to = open_memstream(&help, &n);

	if (!to)
		return xstrdup("");
	error_explain(to, texts, e);
	if (fclose(to) || is_repeated(p, help))
		help[0] = 0;
	return help;
}

static bool print_error(struct printer *p, const struct kt_record *rec, const char *data, kt_u32 size)
{
	const struct error_texts texts = { place_text, line_text, p->control };
	bool explained = p->control->n_texts[KT_TEXT_LINE];
	_cleanup_free_ char *line = NULL;
	struct error e;
	size_t n;
	FILE *to;

	if (!read_error(rec, data, size, &e))
		return false;
	to = open_memstream(&line, &n);
	if (!to)
		return false;
	error_write(to, &texts, &e, explained);
	if (explained) {
		_cleanup_free_ char *help = explanation(p, &texts, &e);

		fprintf(to, "%s%.*s", *help ? "\n" : "", (int)strlen(help) - !!*help, help); /* say() adds the last newline */
	}
	fclose(to);
	if (p->events.on)
		events_error(&p->events, rec->time, &texts, &e);
	say(p, "ERROR", "1;31", line);
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
		if (p->events.on && p->output->fd == STDOUT_FILENO)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		limits_restore(p->limits);
		setpriority(PRIO_PROCESS, 0, p->nice);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		*vec_add(p->commands, p->n_commands) = pid;
	else
		print_warning(p, "cannot run the command '%s': %s", line, strerror(errno));
}

void print_child_ended(struct printer *p, pid_t pid)
{
	for (int i = 0; i < p->n_commands; i++)
		if (p->commands[i] == pid) {
			p->commands[i] = p->commands[--p->n_commands];
			return;
		}
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
		events_print(&p->events, rec->time, format, args, (kt_u32)n, room, len);
	} else {
		_cleanup_free_ char *big = xmalloc(len + 1ul);

		kt_format(big, len + 1, format, args, (kt_u32)n);
		events_print(&p->events, rec->time, format, args, (kt_u32)n, big, len);
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
			_cleanup_text_ struct text line = { 0 };

			text_append(&line, first.string, first.len);
			text_puts(&line, "\n");
			events_print(&p->events, rec->time, "%s\n", &first, 1, line.buf, line.len);
		}
		break;
	}
	p->malformed += !ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records: written into one buffer, formatted and printed as soon as they are complete.
 *
 * The formatter is the loader's own, so the bytes are those that a module's session prints.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/core/format.h"
#include "runtime/errors.h"
#include "runtime/user/user.h"

void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload)
{
	struct user_records *r = &user_current.records;
	size_t size = sizeof(*r->record) + ((payload + 7u) & ~7u);

	(void)c;
	if (size > r->room) {
		r->record = realloc(r->record, size);
		if (!r->record)
			user_die("out of memory for a record of %zu bytes", size);
		r->room = size;
	}
	/* Nothing of an older record may show where a caller leaves a gap. */
	memset(r->record, 0, size);
	*r->record = (struct kt_record){ .size = (kt_u32)size, .kind = (kt_u8)kind, .number = (kt_u16)number };
	return r->record + 1;
}

/* ---- stderr ---- */
void user_say(const char *kind, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "%s: ", kind);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void user_warn(struct user_session *s, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (s->no_warnings)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		user_die("out of memory");
	va_end(ap);
	if (s->events.on)
		events_warning(&s->events, 0, text, strlen(text), NULL);
	user_say("WARNING", "%s", text);
	free(text);
}

static bool is_repeated(struct user_records *r, const char *line)
{
	for (size_t i = 0; i < r->n_seen; i++)
		if (!strcmp(r->seen[i], line))
			return true;
	r->seen = realloc(r->seen, (r->n_seen + 1) * sizeof(*r->seen));
	if (!r->seen)
		user_die("out of memory");
	r->seen[r->n_seen++] = strdup(line);
	return false;
}

static const char *place_text(void *unused, kt_u32 place)
{
	(void)unused;
	return place < kt_script.n_places ? kt_script.places[place] : "?";
}

static const char *line_text(void *unused, kt_u32 place)
{
	(void)unused;
	return place < kt_script.n_places ? kt_script.lines[place] : "";
}

void kt_trace_statement(kt_u32 place)
{
	fprintf(stderr, "%s\n", kt_script.places[place]);
}

/* A line that is composed in memory. */
struct line {
	FILE *f;
	char *text;
	size_t size;
};

static void line_open(struct line *l)
{
	l->f = open_memstream(&l->text, &l->size);
	if (!l->f)
		user_die("out of memory");
}

static void line_close(struct line *l)
{
	if (fclose(l->f))
		user_die("out of memory");
}

static void print_warning(struct user_session *s, const struct kt_arg *message)
{
	kt_u32 number = s->records.record->number;
	const char *place = number != KT_NO_PLACE ? place_text(NULL, number) : NULL;
	struct line l;

	line_open(&l);
	fprintf(l.f, "%.*s", (int)message->len, message->string);
	if (place)
		fprintf(l.f, " near %s", place);
	line_close(&l);
	if (!s->no_warnings && !is_repeated(&s->records, l.text)) {
		if (s->events.on)
			events_warning(&s->events, 0, message->string, message->len, place);
		user_say("WARNING", "%s", l.text);
	}
	free(l.text);
}

/* The advice for an error is printed once for each place. */
static void print_error(struct user_session *s, const struct error *e)
{
	static const struct error_texts texts = { place_text, line_text, NULL };
	struct line l;

	if (s->events.on)
		events_error(&s->events, 0, &texts, e);
	line_open(&l);
	error_write(l.f, &texts, e, kt_script.lines);
	line_close(&l);
	user_say("ERROR", "%s", l.text);
	free(l.text);
	if (!kt_script.lines)
		return;
	line_open(&l);
	error_explain(l.f, &texts, e);
	line_close(&l);
	if (!is_repeated(&s->records, l.text))
		fputs(l.text, stderr);
	free(l.text);
}

/* ---- stdout ---- */
static void print_text(struct user_session *s, const struct kt_record *rec, const void *data, kt_u32 size)
{
	struct kt_arg args[KT_ARGS_MAX];
	const char *format = kt_script.formats[rec->number];
	kt_s32 n = kt_format_record(format, data, size, args, KT_ARGS_MAX);
	char room[1024], *text = room;
	kt_u32 len;

	if (n < 0)
		user_die("a record does not fit its format \"%s\"", format);
	len = kt_format(room, sizeof(room), format, args, (kt_u32)n);
	if (len >= sizeof(room)) {
		text = malloc(len + 1ul);
		if (!text)
			user_die("out of memory");
		kt_format(text, len + 1, format, args, (kt_u32)n);
	}
	events_print(&s->events, 0, format, args, (kt_u32)n, text, len);
	if (text != room)
		free(text);
}

/* With -f json the command prints on standard error: standard output has objects alone. */
static int run_shell(const struct user_session *s, const char *line)
{
	int output = s->events.on ? dup(STDOUT_FILENO) : -1, status;

	fflush(stdout);
	if (output >= 0)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	status = system(line);
	if (output >= 0) {
		dup2(output, STDOUT_FILENO);
		close(output);
	}
	return status;
}

static void run_command(const struct user_session *s, const struct kt_arg *command)
{
	char *line = strndup(command->string, command->len);
	int status = line ? run_shell(s, line) : -1;

	if (status == -1)
		user_say("WARNING", "cannot run the command '%s'", line ? line : "");
	free(line);
}

static void print_line(struct user_session *s, const struct kt_arg *string)
{
	struct line l;

	line_open(&l);
	fprintf(l.f, "%.*s\n", (int)string->len, string->string);
	line_close(&l);
	events_print(&s->events, 0, "%s\n", string, 1, l.text, l.size);
	free(l.text);
}

void kt_commit(struct kt_ctx *c)
{
	struct user_session *s = &user_current;
	const struct kt_record *record = s->records.record;
	const void *data = record + 1;
	bool error = record->kind == KT_REC_ERROR;
	kt_u32 size = record->size - (kt_u32)sizeof(*record), at = error ? sizeof(kt_s64) : 0;
	struct kt_arg first, second, third;

	(void)c;
	if (record->kind == KT_REC_PRINT) {
		print_text(s, record, data, size);
		return;
	}
	if (!kt_record_string(data, size, &at, &first) ||
	    (error && (!kt_record_string(data, size, &at, &second) || !kt_record_string(data, size, &at, &third))))
		user_die("a record of kind %d is malformed", record->kind);
	switch ((enum kt_record_kind)record->kind) {
	case KT_REC_WARN:
		print_warning(s, &first);
		break;
	case KT_REC_ERROR:
		print_error(s, &(struct error){ (kt_u32)*(const kt_s64 *)data, record->number, first, second, third });
		break;
	case KT_REC_SYSTEM:
		run_command(s, &first);
		break;
	case KT_REC_LOG:
		print_line(s, &first);
		break;
	case KT_REC_SWITCH: /* a process has one output */
	case KT_REC_OBJECT: /* there are no stacks in a process */
	case KT_REC_PAD:
	case KT_REC_PRINT:
		break;
	}
}

void user_message(struct kt_ctx *c, kt_u32 kind, const char *message)
{
	kt_u32 len = kt_strlen(message);

	kt_put_string(kt_reserve(c, kind, KT_NO_PLACE, kt_string_room(len)), message, len);
	kt_commit(c);
}

void user_error(struct kt_ctx *c)
{
	kt_u32 len = kt_strlen(c->error), pp_len = kt_strlen(c->probe->pp);
	kt_u32 callers = c->error_place == KT_NO_PLACE ? 0 : c->n_callers * (kt_u32)sizeof(*c->callers);
	void *at = kt_reserve(c, KT_REC_ERROR, c->error_place,
			      (kt_u32)sizeof(kt_s64) + kt_string_room(len) + kt_string_room(pp_len) + kt_string_room(callers));

	at = kt_put_long(at, kt_error_kind(c));
	at = kt_put_string(at, c->error, len);
	at = kt_put_string(at, c->probe->pp, pp_len);
	kt_put_string(at, (const char *)c->callers, callers);
	kt_commit(c);
}

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
#include "runtime/user/user.h"

static struct kt_record *record;
static size_t record_room;

void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload)
{
	size_t size = sizeof(*record) + ((payload + 7u) & ~7u);

	(void)c;
	if (size > record_room) {
		record = realloc(record, size);
		if (!record)
			user_die("out of memory for a record of %zu bytes", size);
		record_room = size;
	}
	/* Nothing of an older record may show where a caller leaves a gap. */
	memset(record, 0, size);
	*record = (struct kt_record){ .size = (kt_u32)size, .kind = (kt_u8)kind, .number = (kt_u16)number };
	return record + 1;
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

static bool is_repeated(const char *line)
{
	static char **seen;
	static size_t n;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(seen[i], line))
			return true;
	seen = realloc(seen, (n + 1) * sizeof(*seen));
	if (!seen)
		user_die("out of memory");
	seen[n++] = strdup(line);
	return false;
}

static void print_message(const struct kt_record *rec, const struct kt_arg *message, const struct kt_arg *probe)
{
	bool has_place = rec->number < kt_script.n_places;
	char *line;

	if (asprintf(&line, "%.*s%s%s%s%.*s", (int)message->len, message->string, has_place ? " near " : "",
		     has_place ? kt_script.places[rec->number] : "", probe ? " in probe " : "",
		     probe ? (int)probe->len : 0, probe ? probe->string : "") < 0)
		user_die("out of memory");
	if (probe)
		user_say("ERROR", "%s", line);
	else if (!user_session.no_warnings && !is_repeated(line))
		user_say("WARNING", "%s", line);
	free(line);
}

/* ---- stdout ---- */
static void print_text(const struct kt_record *rec, const void *data, kt_u32 size)
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
	fwrite(text, 1, len, stdout);
	if (text != room)
		free(text);
}

static void run_command(const struct kt_arg *command)
{
	char *line = strndup(command->string, command->len);
	int status;

	fflush(stdout);
	status = line ? system(line) : -1;
	if (status == -1)
		user_say("WARNING", "cannot run the command '%s'", line ? line : "");
	free(line);
}

void kt_commit(struct kt_ctx *c)
{
	const void *data = record + 1;
	kt_u32 size = record->size - (kt_u32)sizeof(*record), at = 0;
	struct kt_arg first, second;
	bool two = record->kind == KT_REC_ERROR;

	(void)c;
	if (record->kind == KT_REC_PRINT) {
		print_text(record, data, size);
		return;
	}
	if (!kt_record_string(data, size, &at, &first) || (two && !kt_record_string(data, size, &at, &second)))
		user_die("a record of kind %d is malformed", record->kind);
	switch ((enum kt_record_kind)record->kind) {
	case KT_REC_WARN:
	case KT_REC_ERROR:
		print_message(record, &first, two ? &second : NULL);
		break;
	case KT_REC_SYSTEM:
		run_command(&first);
		break;
	case KT_REC_LOG:
		fwrite(first.string, 1, first.len, stdout);
		fputc('\n', stdout);
		break;
	case KT_REC_SWITCH: /* a process has one output */
	case KT_REC_OBJECT: /* there are no stacks in a process */
	case KT_REC_PAD:
	case KT_REC_PRINT:
		break;
	}
}

void user_message(struct kt_ctx *c, kt_u32 kind, kt_u32 place, const char *message, const char *pp)
{
	kt_u32 len = kt_strlen(message), pp_len = pp ? kt_strlen(pp) : 0;
	void *at = kt_reserve(c, kind, place, kt_string_room(len) + (pp ? kt_string_room(pp_len) : 0));

	at = kt_put_string(at, message, len);
	if (pp)
		kt_put_string(at, pp, pp_len);
	kt_commit(c);
}

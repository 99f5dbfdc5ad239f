/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/output/events.h"

#include <ctype.h>
#include <unistd.h>
#include <sys/utsname.h>

#include "config.h"
#include "runtime/commands.h"
#include "runtime/core/stat.h"
#include "runtime/host.h"
#include "runtime/ledger.h"

/* ---- objects ---- */

void events_init(struct events *e, void (*write)(void *to, const char *text, size_t len), void *to)
{
	*e = (struct events){ .write = write, .to = to };
}

void events_deinit(struct events *e)
{
	json_deinit(&e->line);
	json_deinit(&e->object);
	json_deinit(&e->frames);
}

static void write_line(struct events *e, struct json *j)
{
	json_puts(j, "\n");
	e->write(e->to, j->buf, j->len);
}

static void end_object(struct events *e)
{
	write_line(e, &e->object);
	e->open = e->framing = false;
}

/* An open object that nothing continues: a map ends with its last whole entry, anything else is dropped. */
static void break_off(struct events *e)
{
	if (e->open && e->whole) {
		e->object.len = e->whole;
		json_puts(&e->object, "],\"complete\":false}");
		end_object(e);
	}
	e->open = e->framing = false;
}

static void begin_in(struct events *e, struct json *j, const char *type, kt_u64 time)
{
	json_clear(j);
	json_puts(j, "{");
	json_member_string(j, "type", type);
	stamp_member(&e->stamp, time, j);
}

/* An object that one record makes. It may come between the records of an open one. */
static void begin(struct events *e, const char *type, kt_u64 time)
{
	begin_in(e, &e->line, type, time);
}

static void end(struct events *e)
{
	json_puts(&e->line, "}");
	write_line(e, &e->line);
}

/* ---- places ---- */

/* Members for "FILE:LINE:COLUMN" in LEN bytes. Files may have colons in their names. */
static void put_position(struct json *j, const char *text, size_t len)
{
	kt_s64 number[2];
	size_t at = len;

	for (int i = 1; i >= 0; i--) {
		size_t last = at;

		while (at && isdigit((unsigned char)text[at - 1]))
			at--;
		if (at == last || !at || text[at - 1] != ':')
			return;
		number[i] = strtoll(text + at, NULL, 10);
		at--;
	}
	json_key(j, "code.file.path");
	json_string(j, text, at);
	json_member_number(j, "code.line.number", number[0]);
	json_member_number(j, "code.column.number", number[1]);
}

/* PLACE as the object NAME: "operator '/' at x.stp:1:2". */
static void put_place(struct json *j, const char *place)
{
	const char *at = strstr(place, "' at ");

	json_puts(j, "{");
	json_member_string(j, "text", place);
	at = at ? at + strlen("' at ") : place;
	put_position(j, at, strlen(at));
	json_puts(j, "}");
}

/* ---- start ---- */

static const char *otel_machine(const char *machine)
{
	return !strcmp(machine, "x86_64") ? "amd64" : !strcmp(machine, "aarch64") ? "arm64" : machine;
}

static void put_machine(struct json *j)
{
	struct utsname u;

	if (uname(&u))
		return;
	json_member_string(j, "host.name", u.nodename);
	json_member_string(j, "host.arch", otel_machine(u.machine));
	json_member_string(j, "os.type", "linux");
	json_member_string(j, "kernel.release", u.release);
	json_member_string(j, "kernel.version", u.version);
}

static void put_script(struct json *j, const struct event_session *s)
{
	if (!s->name)
		return;
	json_key(j, "script");
	json_puts(j, "{");
	json_member_string(j, "name", s->name);
	json_member_string(j, "sha256", s->sha256);
	json_member_string(j, "text", s->text);
	json_puts(j, "}");
}

static void put_probe(struct json *j, kt_u32 number, const struct event_probe *p)
{
	json_comma(j);
	json_puts(j, "{");
	json_member_string(j, "point", p->point);
	json_member_unsigned(j, "number", number);
	if (p->mechanism)
		json_member_string(j, "mechanism", p->mechanism);
	if (p->origin)
		put_position(j, p->origin, strcspn(p->origin, "\n"));
	json_puts(j, "}");
}

void events_start(struct events *e, const struct event_session *s)
{
	struct json *j = &e->line;

	begin(e, "start", 0);
	json_member_number(j, "schema", EVENTS_SCHEMA);
	json_member_string(j, "ktap", PACKAGE_VERSION);
	put_script(j, s);
	json_member_string(j, "runtime", s->runtime);
	put_machine(j);
	if (s->target)
		json_member_number(j, "process.pid", s->target);
	if (s->command)
		json_member_string(j, "process.command_line", s->command);
	json_key(j, "probes");
	json_puts(j, "[");
	for (kt_u32 i = 0; i < s->n_probes; i++) {
		struct event_probe p = { 0 };

		s->probe(s->of, i, &p);
		if (p.point)
			put_probe(j, i + 1, &p);
	}
	json_puts(j, "]");
	end(e);
}

/* ---- arguments ---- */

static size_t text_length(const struct kt_arg *arg)
{
	if (!arg->string)
		return 0;
	return arg->len ? strnlen(arg->string, arg->len) : strlen(arg->string);
}

static void put_hex(struct json *j, const char *bytes, kt_u32 len)
{
	char hex[3];

	json_puts(j, "\"");
	for (kt_u32 i = 0; i < len; i++) {
		snprintf(hex, sizeof(hex), "%02x", (unsigned char)bytes[i]);
		json_puts(j, hex);
	}
	json_puts(j, "\"");
}

/* The value that a directive with CONV prints: numbers with a sign where it shows one. */
static void put_argument(struct json *j, char conv, const struct kt_arg *arg)
{
	char type = kt_conv_type(conv);

	if (type == 'S')
		json_string(j, arg->string ? arg->string : "", text_length(arg));
	else if (type == 'M')
		put_hex(j, arg->string, arg->string ? arg->len : 0);
	else if (conv == 'd' || conv == 'i' || conv == 'c')
		json_number(j, arg->number);
	else
		json_unsigned(j, (kt_u64)arg->number);
}

/* Reads the directive at *FORMAT. Returns the argument that it prints, NULL: it prints none. *AT counts arguments, those of `*`
 * included. */
static const struct kt_arg *take_directive(const char **format, struct kt_directive *d, const struct kt_arg *args, kt_u32 n,
					   kt_u32 *at)
{
	*format = kt_directive(*format, d);
	*at += (d->width == KT_FROM_ARG) + (d->precision == KT_FROM_ARG);
	return kt_conv_type(d->conv) && *at < n ? &args[(*at)++] : NULL;
}

static void put_arguments(struct json *j, const char *format, const struct kt_arg *args, kt_u32 n)
{
	kt_u32 at = 0;

	while ((format = strchr(format, '%'))) {
		struct kt_directive d;
		const struct kt_arg *arg = take_directive(&format, &d, args, n, &at);

		if (!arg)
			continue;
		json_comma(j);
		put_argument(j, d.conv, arg);
	}
}

/* ---- stacks ---- */

/* Members for "NAME+0xOFFSET/0xSIZE [OBJECT]" or "[OBJECT+0xOFFSET]". */
static void put_symbol(struct json *j, const char *s, const char *end)
{
	const char *plus = memmem(s, (size_t)(end - s), "+0x", 3), *object;

	if (!plus)
		return;
	if (*s != '[') {
		json_key(j, "code.function.name");
		json_string(j, s, (size_t)(plus - s));
	}
	json_member_unsigned(j, "offset", strtoull(plus + 1, NULL, 16));
	object = *s == '[' ? s : memmem(plus, (size_t)(end - plus), " [", 2);
	if (!object)
		return;
	object += *s == '[' ? 1 : 2;
	json_key(j, "module");
	json_string(j, object, *s == '[' ? (size_t)(plus - object) : strcspn(object, "]\n"));
}

/* A line of a stack from S up to END, which a newline or NUL follows. */
static void put_frame(struct json *j, const char *s, const char *end)
{
	char *after;

	while (s < end && *s == ' ')
		s++;
	if (s == end)
		return;
	json_comma(j);
	json_puts(j, "{");
	json_key(j, "text");
	json_string(j, s, (size_t)(end - s));
	if (end - s > 2 && s[0] == '0' && s[1] == 'x') {
		json_member_unsigned(j, "address", strtoull(s, &after, 16));
		s = after;
		while (s < end && (*s == ' ' || *s == ':'))
			s++;
	}
	put_symbol(j, s, end);
	json_puts(j, "}");
}

/* TEXT, which ends with NUL, as a stack: an array of its lines. */
static void put_stack(struct json *j, const char *text)
{
	json_puts(j, "{");
	json_key(j, "stack");
	json_puts(j, "[");
	while (*text) {
		const char *end = strchrnul(text, '\n');

		put_frame(j, text, end);
		text = *end ? end + 1 : end;
	}
	json_puts(j, "]}");
}

static void put_stack_argument(struct json *j, const struct kt_arg *arg)
{
	char *text = strndup(arg->string ? arg->string : "", text_length(arg));

	put_stack(j, text ? text : "");
	free(text);
}

/* Adds the stack that was printed after KT_TEMPLATE_FRAMES. */
static void end_frames(struct events *e)
{
	if (!e->framing)
		return;
	json_raw(&e->frames, "", 1);
	put_stack(&e->object, e->frames.buf);
	e->framing = false;
}

/* ---- templates ---- */

/* Adds the bounds of bucket NUMBER of @hist_log, see core/stat.h. Adds nothing for the number of a damaged record. */
static void put_bounds(struct json *j, kt_s64 number)
{
	kt_u64 most, least;
	kt_s64 bits;

	if (number < 0 || number >= KT_LOG_BUCKETS)
		return;
	bits = number < KT_LOG_ZERO ? KT_LOG_ZERO - number : number - KT_LOG_ZERO;
	most = bits >= 64 ? ~0ull : (1ull << bits) - 1;
	least = bits ? 1ull << (bits - 1) : 0;
	if (number < KT_LOG_ZERO) {
		json_member_number(j, "low", bits >= 64 ? (kt_s64)(1ull << 63) : -(kt_s64)most);
		json_member_number(j, "high", (kt_s64)-least);
	} else {
		json_member_unsigned(j, "low", least);
		json_member_unsigned(j, "high", most);
	}
}

/* A piece of JSON with its arguments. Returns the last of them as a number. */
static kt_s64 put_template(struct json *j, const char *piece, const struct kt_arg *args, kt_u32 n)
{
	const struct kt_arg *arg = NULL;
	kt_u32 at = 0;

	while (*piece) {
		struct kt_directive d;

		if (*piece != '%') {
			json_raw(j, piece++, 1);
			continue;
		}
		arg = take_directive(&piece, &d, args, n, &at);
		if (arg && d.conv == 'i')
			put_bounds(j, arg->number);
		else if (arg && d.conv == 's' && d.flags & KT_FLAG_ALT)
			put_stack_argument(j, arg);
		else if (arg)
			put_argument(j, d.conv, arg);
	}
	return arg ? arg->number : 0;
}

/* A piece that begins an object: its type, a comma, and members. */
static void begin_template(struct events *e, kt_u64 time, const char *piece, const struct kt_arg *args, kt_u32 n)
{
	size_t len = strcspn(piece, ",");
	char type[16];

	snprintf(type, sizeof(type), "%.*s", (int)len, piece);
	break_off(e);
	begin_in(e, &e->object, type, time);
	put_template(&e->object, piece + len, args, n);
	e->whole = e->entries = 0;
	e->open = true;
}

/* The end of a map. Entries are missing when records were lost. */
static void end_map(struct events *e, const struct kt_arg *args, kt_u32 n)
{
	bool complete = n && args[0].number == (kt_s64)e->entries;

	json_puts(&e->object, complete ? "],\"complete\":true}" : "],\"complete\":false}");
	end_object(e);
}

/* A piece that continues an object, whose first piece may have been lost. */
static void continue_template(struct events *e, enum kt_template kind, const char *piece, const struct kt_arg *args, kt_u32 n)
{
	if (!e->open)
		return;
	end_frames(e);
	if (kind == KT_TEMPLATE_ENTRY) {
		e->whole = e->object.len;
		e->entries++;
	}
	if (kind == KT_TEMPLATE_MAP_END) {
		end_map(e, args, n);
		return;
	}
	if (kind == KT_TEMPLATE_ENTRY || kind == KT_TEMPLATE_ITEM)
		json_comma(&e->object);
	put_template(&e->object, piece, args, n);
	e->framing = kind == KT_TEMPLATE_FRAMES;
	json_clear(&e->frames);
	if (kind == KT_TEMPLATE_END)
		end_object(e);
}

static void end_snapshot(struct events *e, kt_u64 time)
{
	e->ledgers(e->ledgers_of);
	begin(e, "snapshot", time);
	json_member_unsigned(&e->line, "number", ++e->snapshots);
	end(e);
}

static void print_template(struct events *e, kt_u64 time, const char *piece, const struct kt_arg *args, kt_u32 n)
{
	enum kt_template kind = (enum kt_template)*piece;

	switch (kind) {
	case KT_TEMPLATE_LINE:
	case KT_TEMPLATE_BEGIN:
		begin_template(e, time, piece + 1, args, n);
		break;
	case KT_TEMPLATE_ENTRY:
	case KT_TEMPLATE_ITEM:
	case KT_TEMPLATE_MORE:
	case KT_TEMPLATE_FRAMES:
	case KT_TEMPLATE_MAP_END:
	case KT_TEMPLATE_END:
		continue_template(e, kind, piece + 1, args, n);
		break;
	case KT_TEMPLATE_LEDGERS:
		if (e->ledgers)
			end_snapshot(e, time);
		break;
	}
	if (kind == KT_TEMPLATE_LINE)
		end_object(e);
}

/* ---- what is printed ---- */

static void print_object(struct events *e, kt_u64 time, const char *format, const struct kt_arg *args, kt_u32 n, const char *text,
			 size_t len)
{
	struct json *j = &e->line;

	if (!strncmp(format, KT_TEMPLATE, strlen(KT_TEMPLATE))) {
		print_template(e, time, format + strlen(KT_TEMPLATE), args, n);
		return;
	}
	if (e->framing) {
		json_raw(&e->frames, text, len);
		return;
	}
	begin(e, "print", time);
	json_key(j, "text");
	json_string(j, text, len);
	json_key(j, "args");
	json_puts(j, "[");
	put_arguments(j, format, args, n);
	json_puts(j, "]");
	end(e);
}

void events_print(struct events *e, kt_u64 time, const char *format, const struct kt_arg *args, kt_u32 n, const char *text,
		  size_t len)
{
	if (e->on) {
		print_object(e, time, format, args, n, text, len);
	} else if (e->stamp.clock) {
		json_clear(&e->line);
		stamp_lines(&e->stamp, time, text, len, &e->line);
		e->write(e->to, e->line.buf, e->line.len);
	} else {
		e->write(e->to, text, len);
	}
}

void events_warning(struct events *e, kt_u64 time, const char *message, size_t len, const char *place)
{
	begin(e, "warning", time);
	json_key(&e->line, "message");
	json_string(&e->line, message, len);
	if (place) {
		json_key(&e->line, "place");
		put_place(&e->line, place);
	}
	end(e);
}

static void put_callers(struct json *j, const struct error_texts *t, const struct error *error)
{
	kt_u32 at = 0, place;

	json_key(j, "callers");
	json_puts(j, "[");
	while (error_caller(error, &at, &place)) {
		json_comma(j);
		put_place(j, t->place(t->of, place));
	}
	json_puts(j, "]");
}

void events_error(struct events *e, kt_u64 time, const struct error_texts *t, const struct error *error)
{
	struct json *j = &e->line;

	begin(e, "error", time);
	json_key(j, "message");
	json_string(j, error->message.string, error->message.len);
	json_member_string(j, "tag", error_kinds[error->kind].tag);
	json_key(j, "point");
	json_string(j, error->probe.string, error->probe.len);
	if (error->place != KT_NO_PLACE) {
		json_key(j, "place");
		put_place(j, t->place(t->of, error->place));
		put_callers(j, t, error);
	}
	end(e);
}

/* ---- the end ---- */

static void put_losses(struct json *j, const kt_u64 *lost)
{
	json_key(j, "lost");
	json_puts(j, "{");
	for (int i = 0; i < KT_LOSS_COUNT; i++)
		if (lost[i])
			json_member_unsigned(j, ledger_names[i], lost[i]);
	json_puts(j, "}");
}

static void put_cycles(struct json *j, const struct kt_probe_status *s)
{
	json_key(j, "cycles");
	json_puts(j, "{");
	json_member_unsigned(j, "count", s->hits);
	json_member_unsigned(j, "sum", s->total);
	json_member_unsigned(j, "min", s->min);
	json_member_unsigned(j, "max", s->max);
	json_member_unsigned(j, "variance", s->variance);
	json_member_unsigned(j, "clock", kt_host_cycles());
	json_puts(j, "}");
}

void events_ledger(struct events *e, const char *point, const struct kt_probe_status *s, bool counted)
{
	if (ledger_is_empty(s) && !s->hits && !s->off)
		return;
	begin(e, "ledger", 0);
	json_member_string(&e->line, "point", point);
	json_member_unsigned(&e->line, "number", s->index + 1);
	if (s->off)
		json_member_string(&e->line, "off", s->off & KT_OFF_OVERLOAD ? "overload" : "command");
	if (counted) {
		json_member_unsigned(&e->line, "hits", ledger_hits(s));
		json_member_unsigned(&e->line, "handled", s->handled);
	}
	put_losses(&e->line, s->lost);
	if (s->hits)
		put_cycles(&e->line, s);
	end(e);
}

/* ---- --control ---- */

static void begin_command(struct events *e, const char *line)
{
	begin(e, "command", 0);
	json_member_string(&e->line, "command", line);
}

void events_command(struct events *e, const char *line, kt_u32 switched, const char *error)
{
	begin_command(e, line);
	if (error)
		json_member_string(&e->line, "error", error);
	if (switched && !error)
		json_member_unsigned(&e->line, "probes", switched);
	end(e);
}

void events_list(struct events *e, void (*probe)(void *of, kt_u32 index, struct event_listed *ret), void *of, kt_u32 n)
{
	struct json *j = &e->line;

	begin_command(e, "list");
	json_key(j, "list");
	json_puts(j, "[");
	for (kt_u32 i = 0; i < n; i++) {
		struct event_listed listed = { 0 };

		probe(of, i, &listed);
		if (!listed.point)
			continue;
		json_comma(j);
		json_puts(j, "{");
		json_member_unsigned(j, "number", i + 1);
		json_member_string(j, "point", listed.point);
		json_member_string(j, "state", command_state(listed.off));
		json_puts(j, "}");
	}
	json_puts(j, "]");
	end(e);
}

void events_exit(struct events *e, int status, kt_u64 errors, const kt_u64 *lost)
{
	break_off(e);
	begin(e, "exit", 0);
	json_member_number(&e->line, "process.exit.code", status);
	json_member_unsigned(&e->line, "errors", errors);
	put_losses(&e->line, lost);
	end(e);
}

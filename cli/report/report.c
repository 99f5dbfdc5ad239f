/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap report RUN.json [AFTER.json]`: one HTML page of what -f json printed, which needs no other file.
 *
 * The objects are checked here and go into the page as they are, as data. The programs beside this file make the tables and
 * drawings of them in the reader's browser. Characters that mean something in HTML are escaped in the data, and the page's policy
 * lets no program run but those.
 */
#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/live/live.h"
#include "cli/report/report-page.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/rewrite.h"
#include "lib/text.h"
#include "runtime/output/events.h"

enum {
	RUNS_MAX = 2,
	EXACT_DIGITS = 15, /* integers with more become strings in the page: a double may not hold them */
	DEPTH_MAX = 32,    /* of objects and arrays in one another */
};

struct report {
	struct source files[RUNS_MAX];
	struct text read[RUNS_MAX]; /* their texts */
	int n;
	struct text page;
	struct json_tokener *parser;
};

/* ---- what is read ---- */

/* Members that the page relies on. Others may be missing. */
static const struct member_row {
	const char *type, *name;
	enum json_type of;
} members[] = {
	{ "start", "probes", json_type_array },
	{ "start", "schema", json_type_int },
	{ "print", "text", json_type_string },
	{ "warning", "message", json_type_string },
	{ "error", "message", json_type_string },
	{ "global", "name", json_type_string },
	{ "global", "value_type", json_type_string },
	{ "map", "name", json_type_string },
	{ "map", "value_type", json_type_string },
	{ "map", "key_types", json_type_array },
	{ "map", "entries", json_type_array },
	{ "ledger", "point", json_type_string },
	{ "ledger", "lost", json_type_object },
	{ "exit", "lost", json_type_object },
};

static bool check_members(struct loc loc, struct json_object *o, const char *type)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].type, type) && !json_object_is_type(live_member(o, members[i].name), members[i].of))
			return error(loc, DIAG_RECORDS, "the object of type \"%s\" has no %s \"%s\"", type,
				     json_type_to_name(members[i].of), members[i].name);
	return true;
}

static bool is_stack(struct json_object *part)
{
	return json_object_is_type(live_member(part, "stack"), json_type_array);
}

/* Each entry has a key of numbers, strings and stacks. */
static bool check_entries(struct loc loc, struct json_object *entries)
{
	for (size_t i = 0; i < json_object_array_length(entries); i++) {
		struct json_object *key = live_member(json_object_array_get_idx(entries, i), "key");
		bool ok = json_object_is_type(key, json_type_array);

		for (size_t k = 0; ok && k < json_object_array_length(key); k++) {
			struct json_object *part = json_object_array_get_idx(key, k);

			ok = json_object_is_type(part, json_type_int) || json_object_is_type(part, json_type_string) || is_stack(part);
		}
		if (!ok)
			return error(loc, DIAG_RECORDS, "entry %zu of the map has no key of numbers, strings and stacks", i + 1);
	}
	return true;
}

static bool check_object(struct loc loc, struct json_object *o)
{
	const char *type = live_text(o, "type");

	if (!json_object_is_type(live_member(o, "type"), json_type_string))
		return error(loc, DIAG_RECORDS, "expected an object with a \"type\", as 'ktap -f json' prints");
	if (!check_members(loc, o, type))
		return false;
	if (!strcmp(type, "start") && live_number(o, "schema") != EVENTS_SCHEMA)
		return error(loc, DIAG_RECORDS, "the objects are of version %lld, this ktap reads version %d",
			     (long long)live_number(o, "schema"), EVENTS_SCHEMA);
	return strcmp(type, "map") || check_entries(loc, live_member(o, "entries"));
}

/* Adds one line of objects. In strings, < > & and control characters are escaped; long integers are put in quotes. */
static void put_object(struct text *page, const char *line, size_t len)
{
	bool inside = false;

	for (size_t i = 0, n; i < len; i += n) {
		char c = line[i];

		n = 1;
		if (inside && c == '\\')
			n = 2;
		else if (c == '"')
			inside = !inside;
		if (inside && ((unsigned char)c < ' ' || strchr("<>&", c))) {
			text_printf(page, "\\u%04x", c);
		} else if (!inside && (c == '-' || isdigit((unsigned char)c))) {
			n = strspn(line + i, "-+.eE0123456789");
			text_printf(page, n > EXACT_DIGITS ? "\"%.*s\"" : "%.*s", (int)n, line + i);
		} else {
			text_append(page, line + i, n);
		}
	}
}

/* One line of FILE. A last line without its end that is no object was cut off: the page is made without it. */
static bool add_line(struct report *r, struct loc loc, const char *line, size_t len, bool ended, bool *started)
{
	struct json_object *o;
	bool ok;

	if (len >= INT_MAX || memchr(line, 0, len))
		return error(loc, DIAG_RECORDS, "the line has a byte 0, or is longer than 2 GB");
	json_tokener_reset(r->parser);
	o = json_tokener_parse_ex(r->parser, line, (int)len);
	if (!o && !ended && *started) {
		warning(loc, DIAG_RECORDS, "the last line is cut off: the page is made without it");
		return true;
	}
	if (!json_object_is_type(o, json_type_object)) {
		enum json_tokener_error why = json_tokener_get_error(r->parser);

		loc.col = (int)json_tokener_get_parse_end(r->parser) + 1;
		json_object_put(o);
		error(loc, DIAG_RECORDS, "expected an object of JSON: %s", why == json_tokener_success ? "this is another value" :
		      why == json_tokener_continue ? "the line ends within it" : json_tokener_error_desc(why));
		note(nowhere, "'ktap report' reads what 'ktap -f json -o %s' writes", loc.src->name);
		return false;
	}
	ok = check_object(loc, o);
	if (ok) {
		text_puts(&r->page, *started ? ",\n" : "\n");
		put_object(&r->page, line, len);
		*started = true;
	}
	json_object_put(o);
	return ok;
}

static bool add_lines(struct report *r, const struct source *file)
{
	const char *at = file->text, *end = at + file->len, *newline;
	bool started = false;
	int number = 1;

	for (; at < end; at = newline + 1, number++) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline)
			newline = end;
		if (newline > at && !add_line(r, (struct loc){ file, number, 1 }, at, (size_t)(newline - at), newline < end, &started))
			return false;
	}
	if (started)
		return true;
	error(nowhere, DIAG_RECORDS, "'%s' is empty", file->name);
	note(nowhere, "ktap -f json --timestamps --snapshots=1 -o %s SCRIPT writes a run", file->name);
	return false;
}

static bool read_file(struct report *r, const char *path)
{
	struct text *t = &r->read[r->n];
	bool is_stdin = !strcmp(path, "-");
	int rc = 0;

	if (is_stdin)
		rc = text_read_fd(t, STDIN_FILENO);
	else if (!text_read_file(t, path))
		rc = -errno;
	if (rc)
		return error(nowhere, DIAG_IO, "cannot read '%s': %s", path, strerror(-rc));
	r->files[r->n++] = (struct source){ .name = is_stdin ? "<stdin>" : path, .path = is_stdin ? NULL : path, .text = text_str(t), .len = t->len };
	return true;
}

/* ---- the page ---- */

/* S as text or as the value of an attribute in double quotes. */
static void put_escaped(struct text *page, const char *s)
{
	for (; *s; s++)
		if (strchr("<>&\"", *s))
			text_printf(page, "&#%d;", *s);
		else
			text_append(page, s, 1);
}

static void put_title(struct report *r)
{
	text_puts(&r->page, "ktap report: ");
	for (int i = 0; i < r->n; i++) {
		text_puts(&r->page, i ? " and " : "");
		put_escaped(&r->page, r->files[i].name);
	}
}

static void put_head(struct report *r)
{
	text_printf(&r->page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '%s'; style-src '%s'\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", report_js_hash, report_css_hash);
	put_title(r);
	text_printf(&r->page, "</title>\n<style>%s</style>\n</head>\n<body>\n<header><h1>", report_css);
	put_title(r);
	text_puts(&r->page, "</h1></header>\n<nav id=\"contents\" aria-label=\"Sections\"></nav>\n"
		  "<main id=\"report\"><noscript>This page needs JavaScript to show its tables and graphs.</noscript></main>\n");
}

static bool put_run(struct report *r, const struct source *file)
{
	text_puts(&r->page, "<script type=\"application/json\" class=\"run\" data-name=\"");
	put_escaped(&r->page, file->name);
	text_puts(&r->page, "\">[");
	if (!add_lines(r, file))
		return false;
	text_puts(&r->page, "\n]</script>\n");
	return true;
}

static bool make_page(struct report *r)
{
	put_head(r);
	for (int i = 0; i < r->n; i++)
		if (!put_run(r, &r->files[i]))
			return false;
	text_printf(&r->page, "<script>%s</script>\n</body>\n</html>\n", report_js);
	return true;
}

/* Where the page goes without -o: beside the last run, or to standard output. */
static const char *default_output(const char *path)
{
	size_t len = strlen(path);

	if (!strcmp(path, "-"))
		return path;
	if (len > 5 && !strcmp(path + len - 5, ".json"))
		len -= 5;
	return arena_printf(&program_arena, "%.*s.html", (int)len, path);
}

static int write_page(const struct text *page, const char *path)
{
	int rc;

	if (!strcmp(path, "-")) {
		fwrite(text_str(page), 1, page->len, stdout);
		return command_written();
	}
	rc = rewrite_path(page, path);
	if (rc)
		return error(nowhere, DIAG_IO, "cannot write '%s': %s", path, strerror(-rc)) ? 0 : 1;
	puts(path);
	return command_written();
}

static int misused(void)
{
	return command_misused("report takes the files of one run or of two, and -o FILE: ktap report RUN.json [AFTER.json] [-o FILE]");
}

int report_run(int argc, char **argv)
{
	struct report r = { 0 };
	const char *output = NULL, *last = NULL;
	int status = 0;

	for (int i = 0; i < argc && !status; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc && !output)
			output = argv[++i];
		else if ((argv[i][0] == '-' && argv[i][1]) || r.n == RUNS_MAX)
			status = misused();
		else
			status = !read_file(&r, last = argv[i]);
	}
	if (!status && !r.n)
		status = misused();
	r.parser = json_tokener_new_ex(DEPTH_MAX);
	json_tokener_set_flags(r.parser, JSON_TOKENER_STRICT);
	if (!status)
		status = make_page(&r) ? write_page(&r.page, output ? output : default_output(last)) : 1;
	json_tokener_free(r.parser);
	text_deinit(&r.page);
	for (int i = 0; i < RUNS_MAX; i++)
		text_deinit(&r.read[i]);
	return status;
}

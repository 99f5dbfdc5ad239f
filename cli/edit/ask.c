/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Positions, and the answers that follow from the outline of a document: definition, references, rename, symbols, hover, format. */
#include "cli/edit/ask.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/edit/format.h"
#include "cli/edit/lookup.h"
#include "cli/edit/parsed.h"
#include "lib/text.h"

/* ---- positions ---- */

/* UTF-16 units of the character that begins with BYTE; a byte that goes on with one has none. */
static int units(char byte)
{
	unsigned char c = (unsigned char)byte;

	return (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
}

static struct json_object *position(const struct source *src, size_t offset)
{
	struct json_object *o = json_object_new_object();
	int line = 0, character = 0;

	for (size_t i = 0; i < offset && i < src->len; i++) {
		character += units(src->text[i]);
		if (src->text[i] == '\n') {
			line++;
			character = 0;
		}
	}
	json_object_object_add(o, "line", json_object_new_int(line));
	json_object_object_add(o, "character", json_object_new_int(character));
	return o;
}

size_t ask_offset(const struct source *src, int line, int character)
{
	size_t i = 0;

	for (; line > 0 && i < src->len; i++)
		line -= src->text[i] == '\n';
	for (int at = 0; i < src->len && src->text[i] != '\n'; i++) {
		at += units(src->text[i]);
		if (at > character)
			break;
	}
	return i;
}

struct json_object *ask_range(const struct source *src, size_t begin, size_t end)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "start", position(src, begin));
	json_object_object_add(o, "end", position(src, end));
	return o;
}

struct json_object *ask_location(const char *uri, const struct source *src, size_t begin, size_t end)
{
	struct json_object *o = ask_strings("uri", uri);

	json_object_object_add(o, "range", ask_range(src, begin, end));
	return o;
}

struct json_object *ask_strings(const char *key, const char *value)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, key, json_object_new_string(value));
	return o;
}

static int int_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_int(v) : 0;
}

void ask_init(struct ask *a, const struct program *settings, const char *uri, const char *text, struct json_object *params)
{
	struct json_object *at;

	*a = (struct ask){ .program = program_like(settings), .reports = diag_like(program_reports(settings)), .uri = uri, .params = params };
	a->reports.take = diag_ignore;
	a->program.reports = &a->reports;
	a->src = source_from_text(&a->program, uri, text);
	parsed_begin(&a->program);
	outline_read(&a->outline, a->src);
	if (params && json_object_object_get_ex(params, "position", &at))
		a->offset = ask_offset(a->src, int_of(at, "line"), int_of(at, "character"));
}

/* ---- names ---- */

static const struct name *asked_name(const struct ask *a)
{
	return outline_name_at(&a->outline, a->offset);
}

/* file:///usr/share/... of a library file. */
static const char *uri_of(const struct source *src)
{
	char full[PATH_MAX];
	struct text t = { 0 };

	text_puts(&t, "file://");
	for (const char *s = src->path && realpath(src->path, full) ? full : src->name; *s; s++)
		if (isalnum((unsigned char)*s) || strchr("/._-~", *s))
			text_append(&t, s, 1);
		else
			text_printf(&t, "%%%02X", (unsigned char)*s);
	return text_keep(&t);
}

static size_t offset_of(struct loc loc)
{
	size_t start = ask_offset(loc.src, loc.line - 1, 0);

	return start + (size_t)(loc.col > 0 ? loc.col - 1 : 0);
}

/* A variable without a declaration is defined where it first stands. */
static const struct name *first_use(const struct outline *o, const struct name *n)
{
	for (size_t i = 0; i < o->n_names; i++)
		if (outline_same(o, n, &o->names[i]))
			return &o->names[i];
	return n;
}

static struct json_object *definition(struct ask *a)
{
	const struct name *n = asked_name(a);
	const struct definition *d = n ? outline_definition(&a->outline, n) : NULL;
	struct loc loc;

	if (d)
		return ask_location(a->uri, a->src, d->name_at, d->name_at + strlen(d->name));
	if (n && n->role == NAME_VARIABLE) {
		n = first_use(&a->outline, n);
		return ask_location(a->uri, a->src, n->at, n->at + n->len);
	}
	loc = n ? lookup_library(&a->program, n) : (struct loc){ 0 };
	return loc.src ? ask_location(uri_of(loc.src), loc.src, offset_of(loc), offset_of(loc) + 1) : NULL;
}

static struct json_object *hover(struct ask *a)
{
	const struct name *n = asked_name(a);
	const struct definition *d = n ? outline_definition(&a->outline, n) : NULL;
	struct loc loc = n && !d ? lookup_library(&a->program, n) : (struct loc){ 0 };
	const char *manual = d ? lookup_manual(a->src->text, d->name_at) :
		loc.src ? lookup_manual(loc.src->text, offset_of(loc)) : NULL;
	struct json_object *o, *content;

	if (!manual)
		return NULL;
	o = json_object_new_object();
	content = ask_strings("kind", "markdown");
	json_object_object_add(content, "value", json_object_new_string(manual));
	json_object_object_add(o, "contents", content);
	json_object_object_add(o, "range", ask_range(a->src, n->at, n->at + n->len));
	return o;
}

static struct json_object *references(struct ask *a)
{
	struct json_object *all = json_object_new_array();
	const struct name *n = asked_name(a);

	for (size_t i = 0; n && i < a->outline.n_names; i++) {
		const struct name *other = &a->outline.names[i];

		if (outline_same(&a->outline, n, other))
			json_object_array_add(all, ask_location(a->uri, a->src, other->at, other->at + other->len));
	}
	return all;
}

static bool is_identifier(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	return true;
}

/* Names of libraries, points and keywords stay: the answer is null then. */
static struct json_object *rename_all(struct ask *a)
{
	const struct name *n = asked_name(a);
	struct json_object *to, *edits, *changes, *o;

	if (!n || n->role == NAME_POINT || !json_object_object_get_ex(a->params, "newName", &to) ||
	    (n->role != NAME_VARIABLE && !outline_definition(&a->outline, n)))
		return NULL;
	if (!is_identifier(json_object_get_string(to)) || keyword_kind(json_object_get_string(to), strlen(json_object_get_string(to))) !=
	    keyword_kind("x", 1))
		return NULL;
	edits = json_object_new_array();
	for (size_t i = 0; i < a->outline.n_names; i++) {
		const struct name *other = &a->outline.names[i];
		size_t mark = a->src->text[other->at] == '@';

		if (!outline_same(&a->outline, n, other))
			continue;
		o = ask_strings("newText", json_object_get_string(to));
		json_object_object_add(o, "range", ask_range(a->src, other->at + mark, other->at + other->len));
		json_object_array_add(edits, o);
	}
	changes = json_object_new_object();
	json_object_object_add(changes, a->uri, edits);
	o = json_object_new_object();
	json_object_object_add(o, "changes", changes);
	return o;
}

/* ---- the document ---- */

static int symbol_kind(enum definition_kind kind)
{
	static const int kinds[] = {
		[DEF_PROBE] = 24 /* event */, [DEF_ALIAS] = 11 /* interface */, [DEF_FUNCTION] = 12, [DEF_GLOBAL] = 13,
		[DEF_MACRO] = 14 /* constant */,
	};

	return kinds[kind];
}

static struct json_object *symbols(struct ask *a)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < a->outline.n_defs; i++) {
		const struct definition *d = &a->outline.defs[i];
		struct json_object *o = ask_strings("name", d->name[0] ? d->name : "probe");

		json_object_object_add(o, "kind", json_object_new_int(symbol_kind(d->kind)));
		json_object_object_add(o, "range", ask_range(a->src, d->begin, d->end));
		json_object_object_add(o, "selectionRange", ask_range(a->src, d->name_at, d->name_at + 1 < d->end ? d->name_at + 1 : d->end));
		json_object_array_add(all, o);
	}
	return all;
}

/* One edit of the whole text; none where it does not parse or is formatted. */
static struct json_object *formatting(struct ask *a)
{
	struct json_object *edits = json_object_new_array(), *edit;
	_cleanup_text_ struct text t = { 0 };

	if (!parsed_canonical(&a->program, a->src))
		return edits;
	format_source(a->src, &t);
	if (t.len != a->src->len || memcmp(text_str(&t), a->src->text, t.len)) {
		edit = ask_strings("newText", text_str(&t));
		json_object_object_add(edit, "range", ask_range(a->src, 0, a->src->len));
		json_object_array_add(edits, edit);
	}
	return edits;
}

static const struct {
	const char *method;
	ask_fn *fn;
} answers[] = {
	{ "diagnostics", ask_diagnostics },
	{ "textDocument/completion", ask_completion },
	{ "textDocument/hover", hover },
	{ "textDocument/definition", definition },
	{ "textDocument/references", references },
	{ "textDocument/rename", rename_all },
	{ "textDocument/formatting", formatting },
	{ "textDocument/documentSymbol", symbols },
};

ask_fn *ask_find(const char *method)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if (!strcmp(answers[i].method, method))
			return answers[i].fn;
	return NULL;
}

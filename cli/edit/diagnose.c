/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The errors and warnings of passes 1 and 2, as an editor shows them. Notes go with their error. */
#include "cli/edit/ask.h"

#include <ctype.h>
#include <string.h>

#include "cli/edit/parsed.h"
#include "translator/sema/sema.h"

static struct ask *asking;
static struct json_object *found, *last;
static struct loc last_place;

/* The end of the word, string or character at OFFSET. */
static size_t end_of(const struct source *src, size_t offset)
{
	size_t i = offset;

	while (i < src->len && (isalnum((unsigned char)src->text[i]) || strchr("_$@", src->text[i])) && src->text[i])
		i++;
	return i > offset || i == src->len || src->text[i] == '\n' ? i : i + 1;
}

/* Notes without another place become lines of the message; the others are related places. */
static void take_note(const struct diag *d)
{
	struct json_object *text, *related, *one;
	const char *longer;

	if (!last)
		return;
	if (d->loc.src != asking->src || (d->loc.line == last_place.line && d->loc.col == last_place.col)) {
		json_object_object_get_ex(last, "message", &text);
		longer = arena_printf(&program_arena, "%s\n%s", json_object_get_string(text), d->message);
		json_object_object_add(last, "message", json_object_new_string(longer));
		return;
	}
	if (!json_object_object_get_ex(last, "relatedInformation", &related)) {
		related = json_object_new_array();
		json_object_object_add(last, "relatedInformation", related);
	}
	one = ask_strings("message", d->message);
	json_object_object_add(one, "location", ask_location(asking->uri, asking->src, ask_offset(d->loc.src, d->loc.line - 1, 0) +
							     (size_t)d->loc.col - 1, ask_offset(d->loc.src, d->loc.line - 1, 0) +
							     (size_t)d->loc.col));
	json_object_array_add(related, one);
}

static void take(const struct diag *d)
{
	size_t at = 0;

	if (!strcmp(d->severity, "note")) {
		take_note(d);
		return;
	}
	last = NULL;
	if (d->loc.src && d->loc.src != asking->src)
		return; /* of a library file */
	if (d->loc.src)
		at = ask_offset(asking->src, d->loc.line - 1, 0) + (size_t)(d->loc.col > 0 ? d->loc.col - 1 : 0);
	if (at > asking->src->len)
		at = asking->src->len;
	last_place = d->loc;
	last = ask_strings("message", d->message);
	json_object_object_add(last, "range", ask_range(asking->src, at, end_of(asking->src, at)));
	json_object_object_add(last, "severity", json_object_new_int(!strcmp(d->severity, "error") ? 1 : 2));
	json_object_object_add(last, "code", json_object_new_string(d->tag));
	json_object_object_add(last, "source", json_object_new_string("ktap"));
	json_object_array_add(found, last);
}

/* Fills `found`. */
static void analyse(struct ask *a, enum debuginfo debuginfo)
{
	a->program = program_like(&a->program);
	a->program.platform.debuginfo = debuginfo;
	found = json_object_new_array();
	last = NULL;
	diag_errors = 0;
	diag_forget();
	if (parsed_begin(&a->program) && parsed_script(&a->program, a->src))
		sema_run(&a->program);
}

/* BTF is read at once and knows most of what scripts name. An error that BTF alone shows is checked against DWARF. */
struct json_object *ask_diagnostics(struct ask *a)
{
	enum debuginfo wanted = a->program.platform.debuginfo;

	asking = a;
	diag_sink = take;
	analyse(a, wanted == DEBUGINFO_AUTO ? DEBUGINFO_BTF : wanted);
	if (wanted == DEBUGINFO_AUTO && diag_errors)
		analyse(a, wanted);
	return found;
}

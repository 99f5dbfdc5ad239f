/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The errors and warnings of passes 1 and 2, as an editor shows them. Notes go with their error. */
#include "cli/edit/ask.h"

#include <ctype.h>
#include <string.h>

#include "cli/edit/parsed.h"
#include "translator/sema/sema.h"

struct findings {
	const struct ask *ask;
	struct json_object *all;
	struct json_object *last;  /* of ALL: notes that follow belong to it. NULL: to none that is shown */
	struct loc last_place;
};

/* The end of the word, string or character at OFFSET. */
static size_t end_of(const struct source *src, size_t offset)
{
	size_t i = offset;

	while (i < src->len && (isalnum((unsigned char)src->text[i]) || strchr("_$@", src->text[i])) && src->text[i])
		i++;
	return i > offset || i == src->len || src->text[i] == '\n' ? i : i + 1;
}

/* Notes without another place become lines of the message; the others are related places. */
static void take_note(struct findings *f, const struct diag *d)
{
	const struct ask *a = f->ask;
	struct json_object *text, *related, *one;
	const char *longer;

	if (!f->last)
		return;
	if (d->loc.src != a->src || (d->loc.line == f->last_place.line && d->loc.col == f->last_place.col)) {
		json_object_object_get_ex(f->last, "message", &text);
		longer = arena_printf(&program_arena, "%s\n%s", json_object_get_string(text), d->message);
		json_object_object_add(f->last, "message", json_object_new_string(longer));
		return;
	}
	if (!json_object_object_get_ex(f->last, "relatedInformation", &related)) {
		related = json_object_new_array();
		json_object_object_add(f->last, "relatedInformation", related);
	}
	one = ask_strings("message", d->message);
	json_object_object_add(one, "location", ask_location(a->uri, a->src, ask_offset(d->loc.src, d->loc.line - 1, 0) +
							     (size_t)d->loc.col - 1, ask_offset(d->loc.src, d->loc.line - 1, 0) +
							     (size_t)d->loc.col));
	json_object_array_add(related, one);
}

static void take(void *findings, const struct diag *d)
{
	struct findings *f = findings;
	const struct source *src = f->ask->src;
	size_t at = 0;

	if (!strcmp(d->severity, "note")) {
		take_note(f, d);
		return;
	}
	f->last = NULL;
	if (d->loc.src && d->loc.src != src)
		return; /* of a library file */
	if (d->loc.src)
		at = ask_offset(src, d->loc.line - 1, 0) + (size_t)(d->loc.col > 0 ? d->loc.col - 1 : 0);
	if (at > src->len)
		at = src->len;
	f->last_place = d->loc;
	f->last = ask_strings("message", d->message);
	json_object_object_add(f->last, "range", ask_range(src, at, end_of(src, at)));
	json_object_object_add(f->last, "severity", json_object_new_int(!strcmp(d->severity, "error") ? 1 : 2));
	json_object_object_add(f->last, "code", json_object_new_string(d->tag));
	json_object_object_add(f->last, "source", json_object_new_string("ktap"));
	json_object_array_add(f->all, f->last);
}

/* Returns the errors and warnings. */
static struct json_object *analyse(struct ask *a, enum debuginfo debuginfo)
{
	struct findings f = { .ask = a, .all = json_object_new_array() };

	a->program = program_like(&a->program);
	a->program.platform.debuginfo = debuginfo;
	a->reports.take = take;
	a->reports.of = &f;
	diag_forget(&a->reports);
	if (parsed_begin(&a->program) && parsed_script(&a->program, a->src))
		sema_run(&a->program);
	a->reports.take = diag_ignore;
	return f.all;
}

/* BTF is read at once and knows most of what scripts name. An error that BTF alone shows is checked against DWARF. */
struct json_object *ask_diagnostics(struct ask *a)
{
	enum debuginfo wanted = a->program.platform.debuginfo;
	struct json_object *found = analyse(a, wanted == DEBUGINFO_AUTO ? DEBUGINFO_BTF : wanted);

	if (wanted != DEBUGINFO_AUTO || !a->reports.errors)
		return found;
	json_object_put(found);
	return analyse(a, wanted);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors that end handlers, as ktaprun and the programs of --runtime=user print them: tags, notes, the line of the script. */
#ifndef KT_ERRORS_H
#define KT_ERRORS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/script.h"

#define ERRORS_TRY "try { ... } catch (e) { println(e) }"

/* ktap-errors(7) explains the tags. */
static const struct {
	const char *tag, *note;
} error_kinds[KT_ERROR_KINDS] = {
	[KT_ERROR_OTHER] = { "error", ERRORS_TRY " around the statement catches this error, and the handler goes on" },
	[KT_ERROR_FAULT] = { "fault", "the address is wrong, or its page is not in memory; " ERRORS_TRY " catches this error" },
	[KT_ERROR_FULL] = { "array-full", "global NAME%[SIZE] drops its oldest element instead; " ERRORS_TRY " catches this error" },
	[KT_ERROR_ACTIONS] = { "max-action", "try { } does not catch this: the handler has used all of its statements" },
	[KT_ERROR_TIME] = { "max-time", "try { } does not catch this: the handler has used all of its time" },
	[KT_ERROR_LOCK] = { "lock", "n++ and <<< on a global need no lock" },
};

/* Returns where "LINE:COLUMN" begins in PLACE, "operator '/' at x.stp:1:2"; NULL: nowhere. */
static inline const char *error_position(const char *place)
{
	const char *at = strrchr(place, ':');

	while (at && at > place && at[-1] != ':')
		at--;
	return at && at > place ? at : NULL;
}

/* Writes LINE, which PLACE is in, as diagnostics of the translator show it. */
static inline void error_show_line(FILE *to, const char *place, const char *line)
{
	const char *at = error_position(place);
	int number, column;

	if (!at || sscanf(at, "%d:%d", &number, &column) != 2 || column < 1 || (size_t)column > strlen(line))
		return;
	fprintf(to, "%5d | %s\n      | ", number, line);
	for (int i = 0; i < column - 1; i++)
		fputc(line[i] == '\t' ? '\t' : ' ', to);
	fputs("^\n", to);
}

/* Texts of the script, as the program that prints has them. */
struct error_texts {
	const char *(*place)(void *of, kt_u32 number); /* "operator '/' at x.stp:1:2" */
	const char *(*line)(void *of, kt_u32 number);  /* of the script; "": the place is in the library */
	void *of;
};

/* The fields of an error record. */
struct error {
	kt_u32 kind, place;
	struct kt_arg message, probe, callers;
};

/* The next place of the calls that led to E, of which *AT bytes were read. False: there are no more. */
static inline bool error_caller(const struct error *e, kt_u32 *at, kt_u32 *ret)
{
	if (*at + sizeof(*ret) > e->callers.len)
		return false;
	memcpy(ret, e->callers.string + *at, sizeof(*ret));
	*at += (kt_u32)sizeof(*ret);
	return true;
}

/* Writes E in one line without its end. TAGGED: with its tag. */
static inline void error_write(FILE *to, const struct error_texts *t, const struct error *e, bool tagged)
{
	kt_u32 at = 0, place;

	fprintf(to, "%.*s", (int)e->message.len, e->message.string);
	if (e->place != KT_NO_PLACE)
		fprintf(to, " near %s", t->place(t->of, e->place));
	for (const char *before = " (called from"; error_caller(e, &at, &place); before = ", from")
		fprintf(to, "%s %s", before, t->place(t->of, place));
	fprintf(to, "%s in probe %.*s", e->callers.len ? ")" : "", (int)e->probe.len, e->probe.string);
	if (tagged)
		fprintf(to, " [%s]", error_kinds[e->kind].tag);
}

/* Writes the line of the script that E is in or, if that is in the library, where it was called, and what helps. */
static inline void error_explain(FILE *to, const struct error_texts *t, const struct error *e)
{
	const char *text = NULL, *name;
	kt_u32 at = 0, place = e->place;

	while (place != KT_NO_PLACE && !*t->line(t->of, place) && error_caller(e, &at, &place))
		;
	if (place != KT_NO_PLACE) {
		text = t->place(t->of, place);
		error_show_line(to, text, t->line(t->of, place));
	}
	name = text ? strstr(text, "' at ") : NULL;
	fprintf(to, "%s: note: %s\n", name ? name + strlen("' at ") : "ktap", error_kinds[e->kind].note);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors that end handlers, as ktaprun and the programs of --runtime=user print them: tags, notes, the line of the script. */
#ifndef KT_ERRORS_H
#define KT_ERRORS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

#define ERRORS_TRY "try { ... } catch (e) { println(e) }"

/* ktap-errors(7) explains the tags. */
static const struct {
	const char *tag, *note;
} error_kinds[KT_ERROR_KINDS] = {
	[KT_ERROR_OTHER] = { "error", ERRORS_TRY " around the statement catches this error, and the handler goes on" },
	[KT_ERROR_FAULT] = { "fault", "the address is wrong, or its page is not in memory; " ERRORS_TRY " catches this error" },
	[KT_ERROR_FULL] = { "array-full", "global NAME%[SIZE] drops its oldest element instead; " ERRORS_TRY " catches this error" },
	[KT_ERROR_ACTIONS] = { "max-action", "try { } does not catch this: the handler has used all of its statements" },
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

/* Writes what helps with an error of KIND at PLACE, whose line of the script is LINE; both NULL: nowhere. */
static inline void error_explain(FILE *to, kt_u32 kind, const char *place, const char *line)
{
	const char *name = place ? strstr(place, "' at ") : NULL;

	if (place && line)
		error_show_line(to, place, line);
	fprintf(to, "%s: note: %s\n", name ? name + strlen("' at ") : "ktap", error_kinds[kind].note);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiler's messages about embedded C, at the script's lines: `FILE:LINE:COL: error: TEXT` for a FILE of the script. */
#include "translator/module/build.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "translator/syntax/ast.h"
#include "translator/syntax/habits.h"

/* Where the name that MESSAGE quotes stands in the line of LOC. The compiler counts columns from the %{ on its first line. */
static int column_of(struct loc loc, const char *message)
{
	const char *name = strpbrk(message, "'\xe2"), *line = loc.src->text, *at;
	size_t len;

	for (int i = 1; i < loc.line && line; i++) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || !name)
		return 1;
	name += *name == '\'' ? 1 : strlen("\xe2\x80\x98");
	len = strcspn(name, "'\xe2");
	for (at = line; len && *at && *at != '\n'; at++)
		if (!strncmp(at, name, len))
			return (int)(at - line) + 1;
	return 1;
}

/* Reports LINE of the compiler's output when it is an error in SRC. */
static bool report_line(const struct source *src, const char *line)
{
	static const char marker[] = " error: ";
	struct loc loc = { .src = src };
	size_t len = strlen(src->name);
	const char *message;
	char *end;

	if (strncmp(line, src->name, len) || line[len] != ':')
		return false;
	loc.line = (int)strtol(line + len + 1, &end, 10);
	message = strstr(end, marker);
	if (*end != ':' || loc.line < 1 || !message)
		return false;
	message += strlen(marker);
	loc.col = column_of(loc, message);
	error(loc, DIAG_BUILD, "embedded C: %s", message);
	habit_note(HABIT_EMBEDDED, loc);
	return true;
}

bool embedded_errors(const struct program *p, const struct text *out)
{
	bool found = false;
	size_t len;

	for (const char *s = text_str(out); *s; s += len + (s[len] == '\n')) {
		const char *line;

		len = strcspn(s, "\n");
		line = arena_strndup(&program_arena, s, len);
		for (const struct source *src = p->sources; src; src = src->next)
			found |= report_line(src, line);
	}
	return found;
}

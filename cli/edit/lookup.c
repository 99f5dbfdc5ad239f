/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds definitions in the libraries, and makes a manual text of the comment above a definition. */
#include "cli/edit/lookup.h"

#include <string.h>

#include "lib/text.h"
#include "translator/sema/tapset.h"

static struct loc find_function(struct program *p, const char *name)
{
	tapset_need_function(p, name);
	for (const struct function *f = p->functions; f; f = f->next)
		if (!strcmp(f->name, name))
			return f->loc;
	return (struct loc){ 0 };
}

static struct loc find_alias(struct program *p, const char *name)
{
	_cleanup_text_ struct text t = { 0 };
	struct loc found = { 0 };

	tapset_need_alias(p, name);
	for (const struct alias *a = p->aliases; a && !found.src; a = a->next) {
		text_clear(&t);
		ast_print_components(&t, a->name);
		if (!strcmp(text_str(&t), name))
			found = a->loc;
	}
	return found;
}

struct loc lookup_library(struct program *p, const struct name *n)
{
	if (n->role == NAME_FUNCTION)
		return find_function(p, n->text);
	if (n->role == NAME_POINT)
		return find_alias(p, n->text);
	return (struct loc){ 0 };
}

/* ---- the comment above ---- */

static const char *line_before(const char *text, const char *line)
{
	if (line == text)
		return NULL;
	line--;
	while (line > text && line[-1] != '\n')
		line--;
	return line;
}

static const char *skip_space(const char *s)
{
	return s + strspn(s, " \t");
}

/* Returns the start of the comment whose last line is LINE, or NULL. */
static const char *comment_start(const char *text, const char *line)
{
	const char *first = line ? skip_space(line) : NULL;

	if (!first)
		return NULL;
	if (*first == '#' || !strncmp(first, "//", 2)) {
		const char *above = line_before(text, line), *start = comment_start(text, above);

		return start && *skip_space(start) == *first ? start : line;
	}
	if (!memmem(line, strcspn(line, "\n"), "*/", 2))
		return NULL;
	while (line && !memmem(line, strcspn(line, "\n"), "/*", 2))
		line = line_before(text, line);
	return line;
}

/* A line of a comment without its marks. */
static void add_comment_line(struct text *t, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end && strchr(" \t", *s))
		s++;
	while (s < end && strchr("#/*", *s))
		s++;
	while (end > s && strchr("*/ \t", end[-1]))
		end--;
	if (s < end && *s == ' ')
		s++;
	text_append(t, s, (size_t)(end - s));
	text_puts(t, "\n");
}

const char *lookup_manual(const char *text, size_t offset)
{
	const char *line = text + offset, *s;
	struct text t = { 0 };
	size_t len;

	while (line > text && line[-1] != '\n')
		line--;
	len = strcspn(line, "{\n");
	while (len && strchr(" \t%", line[len - 1]))
		len--;
	text_printf(&t, "```systemtap\n%.*s\n```\n", (int)len, line);
	for (s = comment_start(text, line_before(text, line)); s && s < line; s += strcspn(s, "\n") + 1)
		add_comment_line(&t, s, strcspn(s, "\n"));
	return text_keep(&t);
}

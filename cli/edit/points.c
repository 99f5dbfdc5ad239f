/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes probe points from the families' patterns, the aliases of the libraries and the index of the kernel's names. */
#include "cli/edit/points.h"

#include <stdlib.h>
#include <string.h>

#include "cli/edit/parsed.h"
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/probe/probe.h"
#include "translator/sema/sema.h"
#include "translator/sema/tapset.h"

enum { LETTERS_MIN = 2 }; /* of a name in quotes: there are a hundred thousand */

struct candidates {
	const char *partial;
	const char *shape; /* of it: arguments as patterns have them, "kernel.function(string).re" */
	char **v;
	size_t n;
};

static void add(struct candidates *c, char *text)
{
	char **added = vec_add(c->v, c->n);

	*added = text;
}

/* Returns what stands for the arguments of POINT: (string), (number). In quotes that are not closed it ends before them. */
static const char *shape_of(const char *point, bool *ret_in_quotes)
{
	struct text t = { 0 };

	*ret_in_quotes = false;
	for (const char *s = point; *s;) {
		const char *end = strchr(s, ')'), *quote = strchr(s, '"');

		if (*s != '(') {
			text_append(&t, s++, 1);
			continue;
		}
		if (quote == s + 1) {
			quote = strchr(quote + 1, '"');
			*ret_in_quotes = !quote;
			end = quote ? strchr(quote, ')') : NULL;
		}
		if (!end)
			break;
		text_puts(&t, s[1] == '"' ? "(string)" : "(number)");
		s = end + 1;
	}
	return text_keep(&t);
}

/* Adds what a pattern or an alias goes on with after the shape: one component. */
static void add_component(struct candidates *c, const char *name)
{
	size_t known = strlen(c->shape), len;
	const char *rest = name + known;

	if (strncmp(name, c->shape, known) || !*rest)
		return;
	len = strcspn(rest + (*rest == '.'), ".(") + (*rest == '.');
	if (!strncmp(rest + len, "(string)", 8))
		add(c, xasprintf("%s%.*s(\"", c->partial, (int)len, rest));
	else if (rest[len] == '(')
		add(c, xasprintf("%s%.*s(", c->partial, (int)len, rest));
	else if (len)
		add(c, xasprintf("%s%.*s%s", c->partial, (int)len, rest, rest[len] ? "." : ""));
}

static void add_pattern(const struct probe_pattern *pattern, void *data)
{
	add_component(data, pattern->text);
}

static void add_alias(const char *name, void *data)
{
	if (name[0] != '_' && !strchr(name, '*'))
		add_component(data, name);
}

/* kernel.function("vfs_read@fs/read_write.c:450") -> kernel.function("vfs_read") */
static void add_place(struct candidates *c, const char *line, size_t len)
{
	size_t known = strlen(c->partial), end;

	if (len < known || strncmp(line, c->partial, known - 1))
		return;
	end = strcspn(line, "@");
	if (end < len)
		add(c, xasprintf("%.*s\")", (int)end, line));
	else
		add(c, xasprintf("%.*s", (int)len, line));
}

bool points_list(struct program *p, const char *point, bool variables, struct text *ret)
{
	struct program q = program_like(p);
	struct source *src = source_from_text(&q, "<point>", arena_printf(&program_arena, "probe %s\n{ }", point));

	q.parse = p->parse;
	q.tapset = p->tapset;
	q.output.list = point;
	q.output.list_variables = variables;
	return parse_source(&q, src, p->parse) && sema_list(&q, ret);
}

/* Adds the names that the kernel has after PARTIAL, which ends in quotes. */
static void add_names(struct candidates *c, struct program *p)
{
	_cleanup_text_ struct text t = { 0 };
	size_t letters = strlen(strrchr(c->partial, '"') + 1);

	if (letters < LETTERS_MIN || !strncmp(c->partial, "process", 7))
		return;
	if (points_list(p, arena_printf(&program_arena, "%s*\")", c->partial), false, &t)) {
		const char *s = text_str(&t);

		for (size_t len; *s; s += len + 1) {
			len = strcspn(s, "\n");
			add_place(c, s, len);
			if (!s[len])
				break;
		}
	}
}

static void sort_unique(struct candidates *c)
{
	size_t to = 0;

	sort_rows(c->v, c->n, by_string);
	for (size_t i = 0; i < c->n; i++) {
		if (to && !strcmp(c->v[to - 1], c->v[i]))
			free(c->v[i]);
		else
			c->v[to++] = c->v[i];
	}
	c->n = to;
}

/* Is B the text A and then MORE? */
static bool goes_on(const char *a, const char *b, const char *more)
{
	size_t len = strlen(a);

	return !strncmp(a, b, len) && !strcmp(b + len, more);
}

/* `syscall.read` is complete: `syscall.read.` comes with the dot that is typed. A name is likelier than an address. */
static bool is_needed(const struct candidates *c, size_t i)
{
	const char *text = c->v[i];

	if (i + 1 < c->n && text[strlen(text) - 1] == '(' && goes_on(text, c->v[i + 1], "\""))
		return false;
	return !i || !goes_on(c->v[i - 1], text, ".");
}

void points_complete(struct program *p, const char *partial, void (*fn)(const char *text, void *data), void *data)
{
	size_t len = strlen(partial);
	struct candidates c = { .partial = arena_strndup(&program_arena, partial, len - (len && partial[len - 1] == '(')) };
	bool in_quotes;

	c.shape = shape_of(c.partial, &in_quotes);
	if (in_quotes) {
		add_names(&c, p);
	} else {
		probe_patterns(add_pattern, &c);
		tapset_alias_names(p, add_alias, &c);
	}
	sort_unique(&c);
	for (size_t i = 0; i < c.n; i++)
		if (is_needed(&c, i))
			fn(c.v[i], data);
	for (size_t i = 0; i < c.n; i++)
		free(c.v[i]);
	free(c.v);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script of -i: what is added, replaced and deleted are whole declarations. Children read and parse it, so that no text hurts the
 * session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/edit/child.h"
#include "cli/edit/declarations.h"
#include "cli/edit/outline.h"
#include "cli/edit/parsed.h"
#include "cli/prompt/interactive.h"
#include "lib/arena.h"
#include "lib/vec.h"
#include "translator/machine/machine.h"

/* ---- in children ---- */
/* Writes a line for each declaration, and one that says whether the last is complete. */
static void write_declarations(void *text, FILE *out)
{
	struct program p = { 0 };
	struct declarations ds;

	declarations_read(&ds, source_from_text(&p, "<input>", text));
	for (size_t i = 0; i < ds.n; i++)
		fprintf(out, "%zu %zu %d %zu %zu\n", ds.v[i].begin, ds.v[i].end, ds.v[i].kind, ds.v[i].name_at, ds.v[i].name_len);
	fprintf(out, "%d\n", ds.complete);
}

/* Reports what pass 1 finds wrong; writes a word if that is nothing. */
static void write_verdict(void *text, FILE *out)
{
	struct program p = { 0 };

	machine_set_target(NULL);
	if (parsed_begin(&p) && parsed_script(&p, source_from_text(&p, "<input>", text)) && !diag_errors(p.reports))
		fputs("ok", out);
	diag_end_pass(p.reports);
}

/* ---- their answers ---- */
static bool too_large(void)
{
	return error(nowhere, DIAG_LIMIT, "the script is too large");
}

/* False: reported, and DS is empty. */
static bool read_declarations(struct declarations *ds, const char *text)
{
	_cleanup_text_ struct text t = { 0 };
	struct declaration d;
	const char *at;
	int len = 0;

	*ds = (struct declarations){ .complete = true };
	if (!child_ask(write_declarations, (void *)text, true, CHILD_FOREVER, &t)) {
		return too_large();
	}
	for (at = text_str(&t); sscanf(at, "%zu %zu %d %zu %zu\n%n", &d.begin, &d.end, &d.kind, &d.name_at, &d.name_len, &len) == 5; at += len)
		*vec_add(ds->v, ds->n) = d;
	ds->complete = *at != '0';
	return true;
}

static bool parses(const char *text)
{
	_cleanup_text_ struct text t = { 0 };
	bool ended = child_ask(write_verdict, (void *)text, false, CHILD_FOREVER, &t), ok = ended && t.len;

	if (!ended)
		return too_large();
	diag_process()->errors += !ok; /* reported by the child */
	return ok;
}

bool script_is_complete(const char *text)
{
	struct declarations ds;
	bool complete;

	complete = !read_declarations(&ds, text) || ds.complete;
	declarations_deinit(&ds);
	return complete;
}

/* ---- changes ---- */
bool script_change(struct interactive *s, const char *text)
{
	struct text t = { 0 };

	text_puts(&t, text);
	if (*text && !parses(text)) {
		text_deinit(&t);
		return false;
	}
	text_deinit(&s->before);
	s->before = s->script;
	s->script = t;
	s->changed = true;
	return true;
}

/* Appends to T the TEXT without the declarations whose bytes are set in GONE. */
static void put_rest(struct text *t, const char *text, const struct declarations *ds, const bool *gone)
{
	size_t at = 0, len = strlen(text);

	for (size_t i = 0; i < ds->n; i++) {
		if (!gone[i])
			continue;
		text_append(t, text + at, ds->v[i].begin - at);
		at = ds->v[i].end;
		at += strspn(text + at, " \t");
		at += text[at] == '\n';
	}
	text_append(t, text + at, len - at);
}

static bool *no_flags(const struct declarations *ds)
{
	bool *flags = xmalloc(ds->n + 1);

	memset(flags, 0, ds->n + 1);
	return flags;
}

static bool same_name(const char *a, const struct declaration *x, const char *b, const struct declaration *y)
{
	return x->name_len && x->kind == y->kind && x->name_len == y->name_len && !memcmp(a + x->name_at, b + y->name_at, x->name_len);
}

/* Without blank lines around it; comments alone are not an addition. */
bool script_add(struct interactive *s, const char *text)
{
	struct declarations old, new;
	_cleanup_text_ struct text t = { 0 };
	bool *replaced, ok = read_declarations(&old, text_str(&s->script)) && read_declarations(&new, text);

	if (!ok) {
		declarations_deinit(&old);
		return false;
	}
	replaced = no_flags(&old);
	for (size_t i = 0; i < old.n; i++)
		for (size_t k = 0; k < new.n; k++)
			replaced[i] |= same_name(text_str(&s->script), &old.v[i], text, &new.v[k]);
	put_rest(&t, text_str(&s->script), &old, replaced);
	if (new.n) {
		text_printf(&t, "%s\n", text);
		ok = script_change(s, text_str(&t));
	}
	for (size_t i = 0; ok && i < old.n; i++)
		if (replaced[i])
			printf("replaced '%.*s'\n", (int)old.v[i].name_len, text_str(&s->before) + old.v[i].name_at);
	free(replaced);
	declarations_deinit(&old);
	declarations_deinit(&new);
	return ok;
}

/* The line of TEXT that byte AT is on. */
static long line_of(const char *text, size_t at)
{
	long line = 1;

	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

bool script_delete(struct interactive *s, long first, long last)
{
	const char *text = text_str(&s->script);
	struct declarations ds;
	_cleanup_text_ struct text t = { 0 };
	bool *gone, any = false, ok;

	if (!read_declarations(&ds, text))
		return false;
	gone = no_flags(&ds);
	for (size_t i = 0; i < ds.n; i++) {
		gone[i] = line_of(text, ds.v[i].begin) <= last && line_of(text, ds.v[i].end) >= first;
		any |= gone[i];
	}
	put_rest(&t, text, &ds, gone);
	ok = any ? script_change(s, text_str(&t)) : error(nowhere, DIAG_USAGE, "there is no declaration on line %ld", first);
	if (!any)
		note(nowhere, "'list' prints the script with the numbers of its lines");
	free(gone);
	declarations_deinit(&ds);
	return ok;
}

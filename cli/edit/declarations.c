/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the structure of the tokens: where a statement begins at the top, so does a declaration. */
#include "cli/edit/declarations.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/edit/outline.h"
#include "cli/edit/structure.h"
#include "lib/vec.h"
#include "translator/syntax/grammar.h"

static size_t end_of(const struct piece *p, const struct source *src)
{
	return (size_t)(p->text - src->text) + p->len;
}

/* The first of the comments before piece I which are not on the line of the declaration before it. */
static size_t begin_of(const struct pieces *ps, size_t i, const struct source *src)
{
	while (i && !ps->v[i - 1].token && (ps->v[i - 1].newlines || i == 1))
		i--;
	return (size_t)(ps->v[i].text - src->text);
}

static int next_kind(const struct pieces *ps, size_t i)
{
	while (++i < ps->n)
		if (ps->v[i].token)
			return ps->v[i].token->kind;
	return 0;
}

/* Is a comment or embedded C open at the end of the text? */
static bool is_cut(const struct pieces *ps, const struct source *src)
{
	const struct piece *p = ps->n ? &ps->v[ps->n - 1] : NULL;
	const char *rest = src->text + (p ? end_of(p, src) : 0);

	if (p && !p->token && p->text[0] == '/' && p->text[1] == '*')
		return p->len < 4 || p->text[p->len - 2] != '*' || p->text[p->len - 1] != '/';
	while (isspace((unsigned char)*rest))
		rest++;
	return rest[0] == '%' && rest[1] == '{';
}

/* Does a declaration that ends at AT lack its body, or a part of what it began? */
static bool goes_on(const struct site *at)
{
	if (at->frame->kind != FRAME_TOP || at->conditionals || at->header || at->defines)
		return true;
	if (at->keyword == FUNCTION && !at->at_start)
		return true;
	return !at->at_start && (at->last == ',' || at->last == '=' || at->last == GLOBAL || at->last == PRIVATE);
}

/* Gives D the name of what it declares, if that is one thing. */
static void find_name(struct declaration *d, const struct outline *o)
{
	int n = 0;

	for (size_t i = 0; i < o->n_defs; i++) {
		const struct definition *def = &o->defs[i];

		if (def->name_at < d->begin || def->name_at >= d->end)
			continue;
		d->kind = def->kind;
		d->name_at = def->name_at;
		d->name_len = def->kind == DEF_PROBE || n++ ? 0 : strlen(def->name);
	}
}

void declarations_read(struct declarations *ds, struct source *src)
{
	struct outline o;
	struct site at;

	*ds = (struct declarations){ 0 };
	outline_read(&o, src);
	structure_init(&at);
	for (size_t i = 0; i < o.pieces.n; i++) {
		const struct piece *p = &o.pieces.v[i];
		int kind = p->token ? structure_kind(&at, p->token) : 0;

		if (!p->token)
			continue;
		structure_enter(&at, kind, p->newlines || !i);
		if (at.frame->kind == FRAME_TOP && at.at_start && !at.conditionals && kind != ';') {
			struct declaration *d = vec_add(ds->v, ds->n);

			*d = (struct declaration){ .begin = begin_of(&o.pieces, i, src) };
		}
		if (ds->n)
			ds->v[ds->n - 1].end = end_of(p, src);
		structure_add(&at, p->token, kind, next_kind(&o.pieces, i), 0, false);
	}
	for (size_t i = 0; i < ds->n; i++)
		find_name(&ds->v[i], &o);
	ds->complete = !goes_on(&at) && !is_cut(&o.pieces, src);
	outline_deinit(&o);
}

void declarations_deinit(struct declarations *ds)
{
	free(ds->v);
	*ds = (struct declarations){ 0 };
}

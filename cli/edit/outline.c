/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the tokens with their structure and notes definitions and names. */
#include "cli/edit/outline.h"

#include <stdlib.h>
#include <string.h>

#include "cli/edit/structure.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/syntax/grammar.h"

struct walk {
	struct outline *o;
	struct site at;
	int open;        /* the definition that is being read, or -1 */
	size_t point;    /* offset where the probe point began */
	bool alias_name; /* the name of an alias is being read, perhaps */
};

static size_t offset_of(const struct piece *p)
{
	return p->token->offset;
}

static const struct piece *neighbour(const struct outline *o, size_t i, int step)
{
	for (i += (size_t)step; i < o->pieces.n; i += (size_t)step)
		if (o->pieces.v[i].token)
			return &o->pieces.v[i];
	return NULL;
}

static int kind_of(const struct piece *p)
{
	return p ? p->token->kind : 0;
}

static void begin_definition(struct walk *w, enum definition_kind kind, const struct piece *p, const struct piece *name)
{
	struct definition *d = vec_add(w->o->defs, w->o->n_defs);
	size_t end = offset_of(p) + p->len;

	*d = (struct definition){ kind, name ? name->token->text : "", offset_of(p), name ? offset_of(name) + name->len : end,
				  name ? offset_of(name) : offset_of(p) };
	w->open = (int)w->o->n_defs - 1;
}

/* The text of points from FROM to TO on one line. */
static const char *points_text(const char *from, const char *to)
{
	struct text t = { 0 };

	for (; from < to; from++)
		if (*from != '\n' && *from != '\t')
			text_append(&t, from, 1);
	while (t.len && t.buf[t.len - 1] == ' ')
		t.buf[--t.len] = 0;
	return text_keep(&t);
}

/* In the head of a probe: its points are its name; what is before '=' is an alias. */
static void read_head(struct walk *w, const struct piece *p, int kind)
{
	struct definition *d = &w->o->defs[w->open];
	const char *base = p->text - offset_of(p);

	if ((kind == '=' || kind == ADD_ASSIGN) && w->alias_name) {
		d->kind = DEF_ALIAS;
		d->name = points_text(base + d->name_at, p->text);
		w->alias_name = false;
	}
	if (d->kind == DEF_PROBE && kind == '{' && !structure_groups(&w->at))
		d->name = points_text(base + d->name_at, p->text);
	if (kind == PROBE || kind == ',' || kind == '=' || kind == ADD_ASSIGN)
		w->point = 0;
	else if (!w->point)
		w->point = offset_of(p);
	if (kind != PROBE && d->kind == DEF_PROBE && w->alias_name && !d->name[0] && d->name_at == d->begin)
		d->name_at = offset_of(p);
}

static enum name_role role_of(const struct walk *w, size_t i, int kind)
{
	if (kind == AT_NAME || (kind == IDENT && w->at.defines && !strcmp(kind_of(neighbour(w->o, i, -1)) == AT_NAME ?
	    neighbour(w->o, i, -1)->token->text : "", "@define")))
		return NAME_MACRO;
	if (kind != IDENT || w->at.last == ARROW || w->at.defines)
		return NAME_NONE;
	if (structure_in_point(&w->at))
		return NAME_POINT;
	if (w->at.last == FUNCTION || (kind_of(neighbour(w->o, i, 1)) == '(' && w->at.last != ARROW))
		return NAME_FUNCTION;
	return NAME_VARIABLE;
}

static void add_name(struct walk *w, size_t i, int kind)
{
	const struct piece *p = &w->o->pieces.v[i];
	enum name_role role = role_of(w, i, kind);
	struct name *n;

	if (role == NAME_NONE)
		return;
	n = vec_add(w->o->names, w->o->n_names);
	*n = (struct name){ role, p->token->text, offset_of(p), p->len, w->open };
	if (role == NAME_POINT) { /* all of the point up to here */
		size_t from = w->point ? w->point : n->at;

		n->text = points_text(p->text - (n->at - from), p->text + p->len);
	} else if (role == NAME_MACRO && p->token->text[0] != '@') {
		n->text = intern(arena_printf(&program_arena, "@%s", p->token->text));
	}
}

/* Opens the declaration that begins at piece I, at top level. */
static void open_definition(struct walk *w, size_t i, int kind)
{
	const struct piece *p = &w->o->pieces.v[i], *next = neighbour(w->o, i, 1);

	if (kind == AT_NAME && !strcmp(p->token->text, "@define"))
		begin_definition(w, DEF_MACRO, p, next);
	else if (w->at.frame->kind != FRAME_TOP)
		return;
	else if (kind == FUNCTION)
		begin_definition(w, DEF_FUNCTION, p, next);
	else if (kind == PROBE) {
		begin_definition(w, DEF_PROBE, p, NULL);
		w->alias_name = true;
	} else if (kind == GLOBAL || kind == PRIVATE)
		w->open = -1;
	else if (kind == IDENT && (w->at.keyword == GLOBAL || w->at.keyword == PRIVATE) && !w->at.operand && !w->at.at_start &&
		 w->at.last != '=')
		begin_definition(w, DEF_GLOBAL, p, p);
}

static void read_token(struct walk *w, size_t i)
{
	const struct piece *p = &w->o->pieces.v[i];
	int kind = structure_kind(&w->at, p->token), next = kind_of(neighbour(w->o, i, 1));

	structure_enter(&w->at, kind, p->newlines || !i);
	open_definition(w, i, kind);
	if ((w->at.header || kind == PROBE) && w->open >= 0 && (structure_in_point(&w->at) || kind == PROBE))
		read_head(w, p, kind);
	add_name(w, i, kind);
	structure_add(&w->at, p->token, kind, next, 0, false);
	if (w->open >= 0 && w->o->defs[w->open].kind != DEF_GLOBAL)
		w->o->defs[w->open].end = offset_of(p) + p->len;
	if (w->at.frame->kind == FRAME_TOP && w->at.at_start)
		w->open = -1;
}

void outline_read(struct outline *o, struct source *src)
{
	struct walk w = { .o = o, .open = -1 };

	*o = (struct outline){ 0 };
	pieces_read(&o->pieces, src);
	structure_init(&w.at);
	for (size_t i = 0; i < o->pieces.n; i++)
		if (o->pieces.v[i].token)
			read_token(&w, i);
}

void outline_deinit(struct outline *o)
{
	pieces_deinit(&o->pieces);
	free(o->defs);
	free(o->names);
	*o = (struct outline){ 0 };
}

const struct name *outline_name_at(const struct outline *o, size_t offset)
{
	for (size_t i = 0; i < o->n_names; i++)
		if (o->names[i].at <= offset && offset <= o->names[i].at + o->names[i].len)
			return &o->names[i];
	return NULL;
}

static bool is_global(const struct outline *o, const char *name)
{
	for (size_t i = 0; i < o->n_defs; i++)
		if (o->defs[i].kind == DEF_GLOBAL && !strcmp(o->defs[i].name, name))
			return true;
	return false;
}

/* Is NAME a parameter of the function with index SCOPE? It hides a global. */
static bool is_parameter(const struct outline *o, int scope, const char *name)
{
	const struct definition *d = scope >= 0 ? &o->defs[scope] : NULL;
	bool inside = false;

	if (!d || d->kind != DEF_FUNCTION)
		return false;
	for (size_t i = 0; i < o->pieces.n; i++) {
		const struct token *t = o->pieces.v[i].token;

		if (!t || t->offset < d->begin)
			continue;
		if (t->offset >= d->end || t->kind == ')')
			return false;
		inside |= t->kind == '(';
		if (inside && t->kind == IDENT && !strcmp(t->text, name))
			return true;
	}
	return false;
}

static bool is_local(const struct outline *o, const struct name *n)
{
	return !is_global(o, n->text) || is_parameter(o, n->scope, n->text);
}

bool outline_same(const struct outline *o, const struct name *a, const struct name *b)
{
	if (a->role != b->role || strcmp(a->text, b->text))
		return false;
	if (a->role != NAME_VARIABLE)
		return true;
	return is_local(o, a) == is_local(o, b) && (!is_local(o, a) || a->scope == b->scope);
}

const struct definition *outline_definition(const struct outline *o, const struct name *n)
{
	enum definition_kind kind = n->role == NAME_FUNCTION ? DEF_FUNCTION : n->role == NAME_MACRO ? DEF_MACRO :
		n->role == NAME_POINT ? DEF_ALIAS : DEF_GLOBAL;
	const char *text = n->role == NAME_MACRO ? n->text + 1 : n->text;

	if (n->role == NAME_VARIABLE && is_local(o, n))
		return NULL;
	for (size_t i = 0; i < o->n_defs; i++)
		if (o->defs[i].kind == kind && !strcmp(o->defs[i].name, text))
			return &o->defs[i];
	return NULL;
}

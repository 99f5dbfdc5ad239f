/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion: what the word before the cursor may become, by what stands around it. */
#include "cli/edit/ask.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/edit/points.h"
#include "cli/edit/structure.h"
#include "cli/edit/suggest-words.h"
#include "lib/text.h"
#include "translator/sema/sema.h"
#include "translator/sema/tapset.h"
#include "translator/syntax/grammar.h"

/* Of LSP. */
enum item_kind { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_KEYWORD = 14, ITEM_EVENT = 23, ITEM_OPERATOR = 24, ITEM_FIELD = 5 };

struct suggestions {
	struct ask *ask;
	struct json_object *items;
	FILE *out;            /* not NULL: the words are written there */
	bool any;             /* one was written */
	size_t from;          /* offset of what is replaced, up to the cursor */
	enum item_kind kind;
};

/* The word to be completed comes first. */
static void write_word(struct suggestions *s, const char *typed, size_t len, const char *text, const char *detail)
{
	if (!s->any)
		fprintf(s->out, "%.*s\n", (int)len, typed);
	s->any = true;
	fprintf(s->out, "%s\t%s\n", text, detail ? detail : "");
}

static void suggest(struct suggestions *s, const char *text, enum item_kind kind, const char *detail)
{
	const char *word = s->ask->src->text + s->from;
	struct json_object *o, *edit;
	size_t typed = s->ask->offset - s->from;

	if (strncmp(text, word, typed))
		return;
	if (s->out) {
		write_word(s, word, typed, text, detail);
		return;
	}
	o = ask_strings("label", text);
	edit = ask_strings("newText", text);
	json_object_object_add(edit, "range", ask_range(s->ask->src, s->from, s->ask->offset));
	json_object_object_add(o, "kind", json_object_new_int(kind));
	json_object_object_add(o, "textEdit", edit);
	if (detail)
		json_object_object_add(o, "detail", json_object_new_string(detail));
	json_object_array_add(s->items, o);
}

static void suggest_name(const char *name, void *data)
{
	struct suggestions *s = data;

	if (name[0] != '_' || s->from < s->ask->offset)
		suggest(s, name, s->kind, NULL);
}

/* ---- the place of the cursor ---- */

struct cursor {
	struct site at;
	size_t point;         /* offset where the point of a head begins, or where a component may */
	const char *points;   /* of the probe whose body the cursor is in, "" */
	int scope;            /* definition around it, or -1 */
};

/* Walks the tokens before the cursor. */
static void find_place(const struct ask *a, struct cursor *c)
{
	const struct pieces *ps = &a->outline.pieces;

	*c = (struct cursor){ .points = "", .scope = -1 };
	structure_init(&c->at);
	for (size_t i = 0; i < ps->n; i++) {
		const struct token *t = ps->v[i].token;
		int kind;

		if (!t || t->offset >= a->offset)
			continue;
		kind = structure_kind(&c->at, t);
		structure_enter(&c->at, kind, ps->v[i].newlines);
		structure_add(&c->at, t, kind, 0, 0, false);
		if (kind == PROBE || (structure_in_point(&c->at) && (kind == ',' || kind == '=' || kind == ADD_ASSIGN)))
			c->point = t->offset + t->raw;
	}
	for (size_t i = 0; i < a->outline.n_defs; i++) {
		const struct definition *d = &a->outline.defs[i];

		if (d->begin < a->offset && a->offset <= d->end && d->kind != DEF_GLOBAL)
			c->scope = (int)i;
		if (c->scope == (int)i && (d->kind == DEF_PROBE || d->kind == DEF_ALIAS))
			c->points = d->name;
	}
}

/* ---- kinds of words ---- */

static void suggest_points(struct suggestions *s, const struct cursor *c)
{
	const char *text = s->ask->src->text;

	s->from = c->point;
	while (s->from < s->ask->offset && isspace((unsigned char)text[s->from]))
		s->from++;
	s->kind = ITEM_EVENT;
	points_complete(&s->ask->program, arena_strndup(&program_arena, text + s->from, s->ask->offset - s->from), suggest_name, s);
}

/* $variables of the first point of the probe, as -L lists them. */
static void suggest_targets(struct suggestions *s, const struct cursor *c)
{
	_cleanup_text_ struct text t = { 0 };

	if (c->points[0] && points_list(&s->ask->program, c->points, true, &t)) {
		char *list = arena_strndup(&program_arena, text_str(&t), strcspn(text_str(&t), "\n")), *save;

		for (char *w = strtok_r(list, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
			char *type = strchr(w, ':');

			if (*w == '$' && type) {
				*type = 0;
				suggest(s, w, ITEM_FIELD, type + 1);
			}
		}
	}
	for (const char *const *w = (const char *const[]){ "$$vars", "$$parms", "$$locals", "$$return", NULL }; *w; w++)
		suggest(s, *w, ITEM_FIELD, NULL);
}

static void suggest_operators(struct suggestions *s)
{
	s->kind = ITEM_OPERATOR;
	at_operator_names(suggest_name, s);
	for (size_t i = 0; i < s->ask->outline.n_defs; i++)
		if (s->ask->outline.defs[i].kind == DEF_MACRO)
			suggest(s, arena_printf(&program_arena, "@%s", s->ask->outline.defs[i].name), ITEM_OPERATOR, "macro");
}

static bool is_first(const struct outline *o, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (outline_same(o, &o->names[k], &o->names[i]))
			return false;
	return true;
}

static void suggest_variables(struct suggestions *s, const struct cursor *c)
{
	const struct outline *o = &s->ask->outline;

	for (size_t i = 0; i < o->n_names; i++) {
		const struct name *n = &o->names[i];
		bool here = n->at + n->len == s->ask->offset, global = outline_definition(o, n);

		if (n->role == NAME_VARIABLE && !here && (n->scope == c->scope || global) && is_first(o, i))
			suggest(s, n->text, ITEM_VARIABLE, global ? "global" : NULL);
	}
}

static void suggest_words_at(struct suggestions *s, const struct cursor *c)
{
	suggest_variables(s, c);
	for (size_t i = 0; i < s->ask->outline.n_defs; i++)
		if (s->ask->outline.defs[i].kind == DEF_FUNCTION)
			suggest(s, s->ask->outline.defs[i].name, ITEM_FUNCTION, "of this script");
	s->kind = ITEM_KEYWORD;
	keyword_names(suggest_name, s);
	if (c->at.frame->kind == FRAME_TOP)
		return;
	s->kind = ITEM_FUNCTION;
	for (enum op op = OP_PRINT; op < OP_COUNT_; op++)
		suggest_name(op_info[op].lexeme, s);
	tapset_function_names(&s->ask->program, suggest_name, s);
}

static void suggest_all(struct suggestions *s)
{
	const struct ask *a = s->ask;
	const char *text = a->src->text;
	struct cursor c;

	find_place(a, &c);
	s->from = a->offset;
	while (s->from && (isalnum((unsigned char)text[s->from - 1]) || text[s->from - 1] == '_' || text[s->from - 1] == '$'))
		s->from--;
	if (c.at.header)
		suggest_points(s, &c);
	else if (text[s->from] == '$' && s->from < a->offset)
		suggest_targets(s, &c);
	else if (s->from && text[s->from - 1] == '@') {
		s->from--;
		suggest_operators(s);
	} else if (!(s->from > 1 && text[s->from - 1] == '>' && text[s->from - 2] == '-'))
		suggest_words_at(s, &c);
}

struct json_object *ask_completion(struct ask *a)
{
	struct suggestions s = { .ask = a, .items = json_object_new_array() };

	suggest_all(&s);
	return s.items;
}

void suggest_words(const struct program *settings, const char *text, FILE *out)
{
	struct ask a;
	struct suggestions s = { .ask = &a, .out = out };

	ask_init(&a, settings, "file:///input", text, NULL);
	a.offset = a.src->len;
	suggest_all(&s);
}

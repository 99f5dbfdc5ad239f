/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts by number: formats, places, and whatever else a table of the script's file holds. */
#include "translator/gen/parts.h"

#include <string.h>

#include "lib/vec.h"

enum { FORMATS_MAX = 65535 }; /* struct kt_record.number */

int table_add(struct map *t, const char *text)
{
	return (int)(map_add(t, intern(text), 0) - t->row);
}

void gen_text_row(struct text *out, const char *s)
{
	emit_line(out, "%s,", c_whole_string(s, strlen(s)));
}

int gen_format(struct gen *g, const struct node *n, const char *text)
{
	size_t before = g->formats.n;
	int format = table_add(&g->formats, text);

	if (before == FORMATS_MAX && g->formats.n > before) {
		error(n ? n->loc : diag_nowhere(g->p->reports), DIAG_USAGE, "the script prints in more than %d formats", FORMATS_MAX);
		note(n ? n->loc : diag_nowhere(g->p->reports), "print text that differs as an argument: printf(\"%%s\", ...)");
		g->failed = true;
	}
	return format;
}

static const char *token_of(const struct node *n, const char **ret_kind)
{
	*ret_kind = "identifier";
	if (n->op != OP_NONE && op_info[n->op].lexeme) {
		*ret_kind = n->kind == ND_PRINT ? "identifier" : "operator";
		return op_info[n->op].lexeme;
	}
	switch (n->kind) {
	case ND_INDEX:
		return n->kid[0]->name ? n->kid[0]->name : node_kind_name(n->kid[0]->kind);
	case ND_CALL: case ND_NAME: case ND_TARGET: case ND_ARROW:
		return n->name;
	case ND_WHILE: case ND_FOR: case ND_FOREACH: case ND_IF: case ND_TRY: case ND_BREAK: case ND_CONTINUE:
	case ND_NEXT: case ND_RETURN: case ND_DELETE:
		*ret_kind = "keyword";
		return node_kind_name(n->kind);
	default:
		*ret_kind = "operator";
		return node_kind_name(n->kind);
	}
}

int gen_place(struct gen *g, const struct node *n)
{
	const char *kind, *token;
	size_t n_places = g->places.n;
	int place;

	/* The first statement that runs stands for a block. */
	while ((n->kind == ND_BLOCK && n->list) || n->kind == ND_EXPR)
		n = n->kind == ND_BLOCK ? n->list : n->kid[0];
	token = token_of(n, &kind);

	if (!n->loc.src)
		return KT_NO_PLACE;
	place = table_add(&g->places, arena_printf(&program_arena, "%s '%s' at %s:%d:%d", kind, token,
						   n->loc.src->name, n->loc.line, n->loc.col));
	if (g->places.n > n_places)
		vec_add(g->place_locs, n_places);
	g->place_locs[place] = n->loc;
	return place < KT_NO_PLACE ? place : KT_NO_PLACE;
}

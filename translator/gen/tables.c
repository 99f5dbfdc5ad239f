/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts by number: formats, places, and whatever else a table of the script's file holds. */
#include "translator/gen/parts.h"

#include <string.h>

#include "lib/vec.h"
#include "translator/sema/place-text.h"

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

int gen_place(struct gen *g, const struct node *n)
{
	size_t n_places = g->places.n;
	int place;

	/* The first statement that runs stands for a block. */
	while ((n->kind == ND_BLOCK && n->list) || n->kind == ND_EXPR)
		n = n->kind == ND_BLOCK ? n->list : n->kid[0];
	if (!n->loc.src)
		return KT_NO_PLACE;
	place = table_add(&g->places, place_text(n));
	if (g->places.n > n_places)
		vec_add(g->place_locs, n_places);
	g->place_locs[place] = n->loc;
	return place < KT_NO_PLACE ? place : KT_NO_PLACE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces -> lines -> text. A line is its code and the comment after it. Comments after consecutive lines that were in one column
 * are in one column again. */
#include "cli/edit/format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/edit/spacing.h"
#include "lib/vec.h"
#include "translator/syntax/grammar.h"

struct line {
	struct text code;            /* without the newline */
	int end;                     /* the column where the code ends */
	const struct piece *comment; /* after it, or NULL */
	bool blank_before;
};

struct layout {
	struct pieces pieces;
	bool *breaks;         /* for each piece: a line begins with it, whatever the script has */
	struct line *lines;
	size_t n;
	struct site at;
	struct spacing left;
	bool after_open;      /* the line before opened a block: no blank line follows */
};

/* ---- blocks of several lines ---- */

struct open_brace {
	size_t at;
	bool broken;
};

/* Groups of probe points stay as they are. */
static bool opens_block(const struct pieces *ps, size_t i, int last)
{
	return ps->v[i].token->kind == '{' && last != '.' && last != PROBE && last != '=' && last != ADD_ASSIGN;
}

/* Where the brace at OPEN has its end at CLOSE, with a newline between: breaks are on both sides of what is inside. */
static void break_block(struct layout *l, size_t open, size_t close)
{
	size_t first = open + 1;

	while (first < close && !l->pieces.v[first].token && !l->pieces.v[first].newlines)
		first++;
	l->breaks[first] = l->breaks[close] = true;
}

static void find_breaks(struct layout *l)
{
	const struct pieces *ps = &l->pieces;
	_cleanup_free_ struct open_brace *stack = xmalloc((ps->n + 1) * sizeof(*stack));
	size_t depth = 0;
	int last = 0;

	for (size_t i = 0; i < ps->n; i++) {
		const struct piece *p = &ps->v[i];

		if (depth && p->newlines)
			stack[depth - 1].broken = true;
		if (!p->token)
			continue;
		if (p->token->kind == '{') {
			stack[depth++] = (struct open_brace){ opens_block(ps, i, last) ? i : ps->n, false };
		} else if (p->token->kind == '}' && depth) {
			struct open_brace b = stack[--depth];

			if (b.broken && b.at < ps->n)
				break_block(l, b.at, i);
			if (depth)
				stack[depth - 1].broken |= b.broken;
		}
		last = p->token->kind;
	}
}

/* ---- lines ---- */

static void add_line(struct layout *l, bool blank_before)
{
	struct line *line = vec_add(l->lines, l->n);

	*line = (struct line){ .blank_before = blank_before };
}

static void put(struct line *line, const char *s, size_t len)
{
	text_append(&line->code, s, len);
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\n')
			line->end = 0;
		else if (s[i] == '\t')
			line->end += TAB_WIDTH - line->end % TAB_WIDTH;
		else
			line->end += (s[i] & 0xc0) != 0x80;
	}
}

static void put_indent(struct line *line, int columns)
{
	for (int i = 0; i < columns / TAB_WIDTH; i++)
		put(line, "\t", 1);
	for (int i = 0; i < columns % TAB_WIDTH; i++)
		put(line, " ", 1);
}

static void begin_line(struct layout *l, const struct piece *p, int indent)
{
	bool closes = p->token && p->token->kind == '}' && l->at.frame->kind == FRAME_BLOCK;

	add_line(l, l->n && p->newlines > 1 && !l->after_open && !closes);
	put_indent(&l->lines[l->n - 1], indent);
	l->at.line_indent = indent;
	l->left = (struct spacing){ 0 };
	l->after_open = false;
}

/* The kind of the first token after piece I; 0: there is none. */
static int next_kind(const struct layout *l, size_t i)
{
	while (++i < l->pieces.n)
		if (l->pieces.v[i].token)
			return structure_kind(&l->at, l->pieces.v[i].token);
	return 0;
}

/* ---- comments ---- */

/* The lines of a comment after its first move with the first, by SHIFT columns. */
static void put_comment(struct line *line, const struct piece *p, int shift)
{
	const char *s = p->text, *end = p->text + p->len;

	for (bool first = true; s < end; first = false) {
		const char *nl = memchr(s, '\n', (size_t)(end - s)), *stop = nl ? nl : end;
		int column = 0;

		while (!first && s < stop && (*s == ' ' || *s == '\t'))
			column += *s++ == '\t' ? TAB_WIDTH - column % TAB_WIDTH : 1;
		while (stop > s && isspace((unsigned char)stop[-1]))
			stop--;
		if (!first && s < stop)
			put_indent(line, column + shift > 0 ? column + shift : 0);
		put(line, s, (size_t)(stop - s));
		if (!nl)
			break;
		put(line, "\n", 1);
		s = nl + 1;
	}
}

/* A comment below one that is after code, in its column, goes on with it. */
static bool goes_on(const struct layout *l, const struct piece *p)
{
	const struct piece *above = l->n ? l->lines[l->n - 1].comment : NULL;

	return above && p->newlines == 1 && above->column == p->column && !memchr(above->text, '\n', above->len);
}

static bool ends_line(const struct layout *l, size_t i)
{
	return i + 1 == l->pieces.n || l->pieces.v[i + 1].newlines || l->breaks[i + 1];
}

static void add_comment(struct layout *l, size_t i)
{
	const struct piece *p = &l->pieces.v[i];
	struct line *line;

	if (!l->n || p->newlines || l->breaks[i]) {
		if (ends_line(l, i) && goes_on(l, p)) {
			add_line(l, false);
			l->lines[l->n - 1].comment = p;
			return;
		}
		begin_line(l, p, structure_comment_indent(&l->at, next_kind(l, i)));
	} else if (ends_line(l, i) && !l->lines[l->n - 1].comment) {
		l->lines[l->n - 1].comment = p;
		return;
	}
	line = &l->lines[l->n - 1];
	if (l->left.piece)
		put(line, " ", 1);
	put_comment(line, p, l->left.piece ? 0 : line->end - p->column);
	l->left = (struct spacing){ .piece = p };
}

/* ---- tokens ---- */

static void add_token(struct layout *l, size_t i)
{
	const struct piece *p = &l->pieces.v[i];
	int kind = structure_kind(&l->at, p->token), next = next_kind(l, i);
	bool newline = !l->n || p->newlines || l->breaks[i];
	struct line *line;

	structure_enter(&l->at, kind, newline);
	if (newline)
		begin_line(l, p, structure_indent(&l->at, kind));
	line = &l->lines[l->n - 1];
	if (l->left.piece && spacing_between(&l->left, &l->at, p, kind, next))
		put(line, " ", 1);
	put(line, p->text, p->len);
	l->left = spacing_after(&l->at, p, kind);
	l->after_open = kind == '{' && !structure_groups(&l->at);
	structure_add(&l->at, p->token, kind, next, line->end, ends_line(l, i));
}

/* ---- text ---- */

/* How many lines from FIRST on have their comments in one column. */
static size_t group_size(const struct layout *l, size_t first)
{
	const struct piece *c = l->lines[first].comment;
	size_t n = 1;

	while (first + n < l->n) {
		const struct line *line = &l->lines[first + n];

		if (!line->comment || line->blank_before || line->comment->column != c->column ||
		    memchr(line[-1].comment->text, '\n', line[-1].comment->len))
			break;
		n++;
	}
	return n;
}

static void trim_end(struct text *t)
{
	while (t->len && (t->buf[t->len - 1] == ' ' || t->buf[t->len - 1] == '\t'))
		t->buf[--t->len] = 0;
}

static void write_line(struct line *line, int comment_column, struct text *out)
{
	if (line->blank_before)
		text_puts(out, "\n");
	trim_end(&line->code);
	if (line->comment) {
		while (line->end < comment_column)
			put(line, " ", 1);
		put_comment(line, line->comment, 0);
	}
	text_append(out, text_str(&line->code), line->code.len);
	text_puts(out, "\n");
}

static void write_lines(struct layout *l, struct text *out)
{
	for (size_t i = 0, n; i < l->n; i += n) {
		int column = 0;

		n = l->lines[i].comment ? group_size(l, i) : 1;
		for (size_t k = i; k < i + n; k++)
			if (l->lines[k].code.len && l->lines[k].end + 1 > column)
				column = l->lines[k].end + 1;
		for (size_t k = i; k < i + n; k++)
			write_line(&l->lines[k], column, out);
	}
}

static void layout_deinit(struct layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		text_deinit(&l->lines[i].code);
	free(l->lines);
	free(l->breaks);
	pieces_deinit(&l->pieces);
}

/* Whatever the layout does, no token and no comment is lost. */
static void check_complete(const struct layout *l, const struct source *src, const struct text *out)
{
	struct source made = { .name = src->name, .text = text_str(out), .len = out->len, .reports = src->reports };
	struct pieces again;

	pieces_read(&again, &made);
	if (!pieces_equal(&l->pieces, &again))
		bug("the formatter changed the words of '%s'", src->name);
	pieces_deinit(&again);
}

void format_source(struct source *src, struct text *out)
{
	struct layout l = { 0 };

	pieces_read(&l.pieces, src);
	l.breaks = xmalloc(l.pieces.n + 2);
	memset(l.breaks, 0, l.pieces.n + 2);
	find_breaks(&l);
	structure_init(&l.at);
	for (size_t i = 0; i < l.pieces.n; i++) {
		if (l.pieces.v[i].token)
			add_token(&l, i);
		else
			add_comment(&l, i);
	}
	write_lines(&l, out);
	check_complete(&l, src, out);
	layout_deinit(&l);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source text -> pieces. Tokens are the scanner's; what it skips between them is white space and comments. */
#include "cli/edit/pieces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"

/* The place in the text, moved forward byte by byte. */
struct cursor {
	const char *text;
	size_t at;
	int column;
	int newlines;   /* since the last piece */
	size_t end;     /* of the last piece */
};

static void move_to(struct cursor *c, size_t to)
{
	for (; c->at < to; c->at++) {
		if (c->text[c->at] == '\n') {
			c->column = 0;
			c->newlines++;
		} else if (c->text[c->at] == '\t') {
			c->column += TAB_WIDTH - c->column % TAB_WIDTH;
		} else {
			c->column += (c->text[c->at] & 0xc0) != 0x80;
		}
	}
}

/* Adds LEN bytes at the cursor and moves after them. */
static void add_piece(struct pieces *ps, struct cursor *c, const struct token *token, size_t len)
{
	bool glued = ps->n && c->at == c->end;
	struct piece *p = vec_add(ps->v, ps->n);

	*p = (struct piece){ token, c->text + c->at, len, c->newlines, c->column, glued };
	move_to(c, c->at + len);
	c->end = c->at;
	c->newlines = 0;
	while (!token && p->len && isspace((unsigned char)p->text[p->len - 1]))
		p->len--;
}

/* Returns the length of the comment that begins at S, which has LEN bytes; 0: none does. */
static size_t comment_length(const char *s, size_t len)
{
	const char *end;

	if (len >= 2 && s[0] == '/' && s[1] == '*') {
		end = memmem(s + 2, len - 2, "*/", 2);
		return end ? (size_t)(end + 2 - s) : len;
	}
	if (s[0] != '#' && (len < 2 || s[0] != '/' || s[1] != '/'))
		return 0;
	end = memchr(s, '\n', len);
	return end ? (size_t)(end - s) : len;
}

/* Adds the comments before offset END. */
static void add_comments(struct pieces *ps, struct cursor *c, size_t end)
{
	while (c->at < end) {
		size_t len = comment_length(c->text + c->at, end - c->at);

		if (len)
			add_piece(ps, c, NULL, len);
		else
			move_to(c, c->at + 1);
	}
}

void pieces_read(struct pieces *ps, struct source *src)
{
	struct unit u = { .src = src, .errors_before = diag_errors(src->reports) };
	struct cursor c = { .text = src->text };

	*ps = (struct pieces){ 0 };
	scan_text(&u, src->text, src->len, NULL, &ps->tokens);
	for (size_t i = 0; i < ps->tokens.n; i++) {
		const struct token *t = &ps->tokens.v[i];

		add_comments(ps, &c, t->offset);
		add_piece(ps, &c, t, t->raw);
	}
	add_comments(ps, &c, src->len);
}

void pieces_deinit(struct pieces *ps)
{
	free(ps->v);
	tokens_deinit(&ps->tokens);
	*ps = (struct pieces){ 0 };
}

/* Are the bytes that are not white space the same? */
static bool same_words(const struct piece *a, const struct piece *b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a->len && isspace((unsigned char)a->text[i]))
			i++;
		while (j < b->len && isspace((unsigned char)b->text[j]))
			j++;
		if (i == a->len || j == b->len)
			return i == a->len && j == b->len;
		if (a->text[i++] != b->text[j++])
			return false;
	}
}

bool pieces_equal(const struct pieces *a, const struct pieces *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct piece *p = &a->v[i], *q = &b->v[i];

		if (!p->token != !q->token)
			return false;
		if (p->token ? p->len != q->len || memcmp(p->text, q->text, p->len) : !same_words(p, q))
			return false;
	}
	return true;
}

bool piece_is_line_comment(const struct piece *p)
{
	return !p->token && (p->text[0] == '#' || p->text[1] == '/');
}

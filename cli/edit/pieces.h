/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a script as pieces: its tokens and its comments, in order. Between two pieces is only white space. */
#ifndef KTAP_CLI_EDIT_PIECES_H
#define KTAP_CLI_EDIT_PIECES_H

#include "translator/syntax/tokens.h"

struct piece {
	const struct token *token; /* NULL: a comment */
	const char *text;          /* in the source */
	size_t len;                /* of a comment: without white space at its end */
	int newlines;              /* between the piece before and this one */
	int column;                /* from 0, tabs are 8 wide */
	bool glued;                /* directly after the piece before */
};

struct pieces {
	struct piece *v;
	size_t n;
	struct tokens tokens;
};

enum { TAB_WIDTH = 8 };

/* Fills PS. Reports what is not a token. */
void pieces_read(struct pieces *ps, struct source *src);
void pieces_deinit(struct pieces *ps);

/* Are the tokens and the comments of both the same, in the same order? White space within comments may differ. */
bool pieces_equal(const struct pieces *a, const struct pieces *b);

/* A comment that ends with its line. */
bool piece_is_line_comment(const struct piece *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in a script a token stands: in which brackets, in which statement, after an operand or not. Works on the tokens as they are
 * written, before the preprocessor, so both branches of a conditional have their structure. It decides about white space only.
 *
 * For each token: structure_enter(), then what the place is asked for, then structure_add().
 */
#ifndef KTAP_CLI_EDIT_STRUCTURE_H
#define KTAP_CLI_EDIT_STRUCTURE_H

#include "cli/edit/pieces.h"

enum frame_kind {
	FRAME_TOP,
	FRAME_BLOCK,   /* braces around statements */
	FRAME_MACRO,   /* the body of a macro */
	FRAME_GROUP,   /* braces around probe points */
	FRAME_PAREN,   /* ( or [ in an expression */
	FRAME_CONTROL, /* ( after if, for, while, foreach, catch */
};

/* Never changed once made, as a saved place may refer to it. */
struct frame {
	enum frame_kind kind;
	int indent;                     /* of lines inside */
	int outer;                      /* of the line that closes it */
	int keyword;                    /* of the statement around it */
	const struct control *controls; /* open around it */
	const struct frame *up;
};

struct site {
	const struct frame *frame;
	const struct control *controls;  /* open in this frame: the innermost first */
	const struct conditional *conditionals;
	int keyword;       /* the statement's first one, 0: none */
	int last;          /* kind of the token before */
	int line_indent;   /* of the current line */
	int indent;        /* of the line where the statement began */
	int resumed;       /* indentation of the `if` or `try` that an `else` or `catch` continues */
	bool at_start;     /* a statement may begin here */
	bool operand;      /* an operand ends here: an operator may follow */
	bool stepped;      /* by ++ or -- after it */
	bool header;       /* between `probe` and its body */
	bool awaits_paren; /* of a control statement */
	bool defines;      /* between @define and the body of the macro */
};

void structure_init(struct site *at);
/* The kind of T at this place: a keyword may be a name. */
int structure_kind(const struct site *at, const struct token *t);
/* Ends the statement before T, of kind KIND, if T begins another one. NEWLINE: it begins a line. */
void structure_enter(struct site *at, int kind, bool newline);
/* Indentation of a line that begins with a token of kind KIND. */
int structure_indent(const struct site *at, int kind);
/* Indentation of a comment on separate lines. NEXT: the kind of the token after it, 0 at the end. */
int structure_comment_indent(struct site *at, int next);
/* Goes after the token T of kind KIND. NEXT: the kind of the token after it. COLUMN: where its text ends. HANGS: the line ends after it. */
void structure_add(struct site *at, const struct token *t, int kind, int next, int column, bool hangs);

/* Is the innermost frame one that statements stand in? */
bool structure_in_statements(const struct site *at);
/* In the head of a probe, where names are joined if they are glued? */
bool structure_in_point(const struct site *at);
/* A brace here groups probe points. */
bool structure_groups(const struct site *at);

#endif

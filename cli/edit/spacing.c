/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spaces between tokens, from what each wants on its sides. Where the preprocessor or the names of probe points make a difference
 * between glued tokens and others, the script's own spaces stay. */
#include "cli/edit/spacing.h"

#include <string.h>

#include "translator/syntax/grammar.h"
#include "translator/syntax/tokens.h"

/* A sign or another operator before its operand. */
static bool is_prefix(const struct site *at, int kind)
{
	if (at->operand)
		return kind == '!' || kind == '~' ? !structure_in_point(at) : kind == STEP && at->stepped;
	return kind == '-' || kind == '+' || kind == '!' || kind == '~' || kind == '&' || kind == STEP;
}

/* The direction of an order: `in a-`, `[k+, n]`. No expression goes on like this after a sign. */
static bool is_direction(const struct site *at, int kind, int next)
{
	return at->keyword == FOREACH && (kind == '+' || kind == '-') && at->operand &&
	       (next == ')' || next == ']' || next == ',' || next == IN || next == LIMIT || next == '=');
}

static bool in_parameters(const struct site *at)
{
	return at->keyword == FUNCTION && at->frame->kind <= FRAME_PAREN;
}

/* `(` or `[` of a call, an element or an argument: it belongs to the operand before. */
static bool belongs_to_operand(const struct site *at)
{
	if (at->last == '%' && at->frame->kind == FRAME_TOP && !at->header) /* global a%[100] */
		return true;
	return at->operand && !at->awaits_paren && at->last != STRING_TYPE && at->last != LONG_TYPE && at->last != PP_END && at->last != IF;
}

/* Does nothing stand directly before a token of KIND? */
static bool wants_left(const struct site *at, int kind, int next)
{
	switch (kind) {
	case ',': case ';': case ')': case ']': case ARROW: case PRETTY:
		return false;
	case '(': case '[':
		return !belongs_to_operand(at);
	case '.':
		return !structure_in_point(at);
	case ':':
		return !in_parameters(at) || at->last == ')';
	case STEP:
		return !at->operand || at->stepped;
	case '+': case '-':
		return !is_direction(at, kind, next);
	case '%':
		return (at->keyword != GLOBAL && at->keyword != PRIVATE) || at->frame->kind != FRAME_TOP;
	case '}':
		return at->frame->kind != FRAME_GROUP;
	}
	return true;
}

struct spacing spacing_after(const struct site *at, const struct piece *p, int kind)
{
	bool tight = kind == '(' || kind == '[' || kind == ARROW || is_prefix(at, kind) || (kind == '.' && structure_in_point(at)) ||
		     (kind == ':' && in_parameters(at) && at->last != ')') || (kind == '{' && structure_groups(at));

	return (struct spacing){ p, kind, tight };
}

static bool is_preprocessed(int kind)
{
	return kind >= PP_IF && kind <= PP_END;
}

/* May the kind be a part of a name that is written in pieces? */
static bool may_join(int kind)
{
	return token_is_name_piece(kind) || kind == AT_NAME || kind == SCRIPT_ARG;
}

/* Does it matter to the parser whether a space is between them? */
static bool is_exact(const struct spacing *left, const struct site *at, int kind)
{
	if (is_preprocessed(left->kind) || is_preprocessed(kind))
		return true;
	if (left->kind == '{' && kind == '}')
		return true;
	return structure_in_point(at) && may_join(left->kind) && may_join(kind);
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@';
}

/* Would the scanner read them as something else without a space? */
static bool fuses(const struct piece *a, const struct piece *b)
{
	char last = a->text[a->len - 1], first = b->text[0], both[16];
	int len = snprintf(both, sizeof(both), "%.*s%.*s", (int)(a->len < 8 ? a->len : 0), a->text, (int)(b->len < 6 ? b->len : 1), b->text);

	if (is_word(last) && (is_word(first) || first == '#'))
		return true;
	if ((last == '/' && (first == '/' || first == '*')) || (last == '%' && strchr("(){?:", first)))
		return true;
	for (enum op op = OP_ASSIGN; op < OP_COUNT_ && (size_t)len < sizeof(both); op++) {
		size_t n = strlen(op_info[op].lexeme);

		if (n > a->len && !strncmp(both, op_info[op].lexeme, n))
			return true;
	}
	return false;
}

bool spacing_between(const struct spacing *left, const struct site *at, const struct piece *p, int kind, int next)
{
	if (is_exact(left, at, kind))
		return !p->glued;
	if (!left->tight && wants_left(at, kind, next))
		return true;
	if (left->kind == ';' && kind == ';')
		return false;
	return left->piece->token && fuses(left->piece, p);
}

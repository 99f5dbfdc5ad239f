/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the structure of a script token by token. `;` is optional, so a statement ends where the next token cannot go on with its
 * expression: after an operand comes what begins an operand. */
#include "cli/edit/structure.h"

#include <string.h>

#include "translator/syntax/grammar.h"
#include "translator/syntax/tokens.h"

/* A control statement whose body is being read. */
struct control {
	int kind;   /* IF, ELSE, WHILE, FOR, FOREACH, TRY, CATCH */
	int indent;
	const struct control *up;
};

/* %( that is open, or the body of a macro. */
struct conditional {
	bool macro;
	int indent;
	struct site saved; /* at the %( */
	const struct conditional *up;
};

void structure_init(struct site *at)
{
	static const struct frame top = { .kind = FRAME_TOP };

	*at = (struct site){ .frame = &top, .at_start = true };
}

bool structure_in_statements(const struct site *at)
{
	return at->frame->kind <= FRAME_MACRO;
}

bool structure_in_point(const struct site *at)
{
	return at->header && (at->frame->kind == FRAME_TOP || at->frame->kind == FRAME_GROUP);
}

bool structure_groups(const struct site *at)
{
	return structure_in_point(at) && token_precedes_component(at->last);
}

int structure_kind(const struct site *at, const struct token *t)
{
	if (!token_is_keyword(t->kind))
		return t->kind;
	if (at->last == ARROW || at->defines)
		return IDENT;
	if (structure_in_point(at) && ((token_precedes_component(at->last) && at->last != PROBE) ||
	    (at->frame->kind == FRAME_GROUP && at->last == ',') || (t->glued && token_is_name_piece(at->last))))
		return IDENT;
	return t->kind;
}

/* ---- statements ---- */

static void open_control(struct site *at, int kind, int indent)
{
	struct control *c = arena_new(&program_arena, struct control);

	*c = (struct control){ kind, indent, at->controls };
	at->controls = c;
}

/* Ends the statement, and each control statement whose body it is unless NEXT goes on with that. */
static void end_statement(struct site *at, int next)
{
	while (at->controls) {
		const struct control *c = at->controls;

		at->controls = c->up;
		at->resumed = c->indent;
		if ((c->kind == IF && next == ELSE) || (c->kind == TRY && next == CATCH))
			break;
	}
	at->at_start = true;
	at->operand = at->stepped = at->header = false;
	at->keyword = 0;
}

static bool begins_definition(const struct site *at, int kind)
{
	return (kind == PROBE || kind == GLOBAL || kind == FUNCTION || kind == PRIVATE) && at->last != PRIVATE;
}

static bool begins_operand(const struct site *at, int kind)
{
	switch (kind) {
	case IDENT: case NUMBER: case TARGET: case AT_NAME: case SCRIPT_ARG: case '!': case '~':
		return true;
	case STRING:
		return at->last != STRING;
	case EMBED:
		return at->keyword != FUNCTION;
	case STEP:
		return at->stepped;
	}
	return false;
}

static bool ends_alone(int keyword)
{
	return keyword == BREAK || keyword == CONTINUE || keyword == NEXT;
}

/* Does a token of kind KIND begin another statement? */
static bool begins_statement(const struct site *at, int kind, bool newline)
{
	if (begins_definition(at, kind))
		return true;
	if (at->header || at->defines)
		return false;
	if (kind >= IF && kind <= CATCH && kind != IN && kind != LIMIT && kind != STRING_TYPE && kind != LONG_TYPE)
		return true;
	if (kind == '{')
		return at->keyword != FUNCTION;
	if (ends_alone(at->last))
		return kind != ';';
	return at->operand && (begins_operand(at, kind) || (kind == PP_IF && newline));
}

void structure_enter(struct site *at, int kind, bool newline)
{
	if (structure_in_statements(at) && !at->at_start && kind != '}' && begins_statement(at, kind, newline))
		end_statement(at, kind);
}

/* ---- indentation ---- */

static int statement_indent(const struct site *at, int kind)
{
	if (kind == ELSE || kind == CATCH)
		return at->resumed;
	if (kind == PP_IF && at->frame->kind != FRAME_MACRO)
		return 0;
	if (at->controls)
		return at->controls->indent + (kind == '{' ? 0 : TAB_WIDTH);
	return at->frame->indent;
}

int structure_indent(const struct site *at, int kind)
{
	if (kind == '}' || ((kind == ')' || kind == ']') && at->frame->kind >= FRAME_PAREN))
		return at->frame->outer;
	if (kind == PP_THEN || kind == PP_ELSE || kind == PP_END)
		return at->conditionals ? at->conditionals->indent : 0;
	if (!structure_in_statements(at))
		return at->frame->indent;
	if (at->at_start)
		return statement_indent(at, kind);
	if ((kind == '{' && !structure_groups(at)) || kind == EMBED || (at->defines && kind == PP_IF))
		return at->indent;
	return at->indent + TAB_WIDTH;
}

int structure_comment_indent(struct site *at, int next)
{
	structure_enter(at, next, true);
	if (structure_in_statements(at) && (!next || next == '}' || next == PP_ELSE || next == PP_END))
		return at->controls && at->at_start ? statement_indent(at, 0) : at->frame->indent;
	return structure_indent(at, 0);
}

/* ---- brackets ---- */

static void push(struct site *at, enum frame_kind kind, int indent, int outer)
{
	struct frame *f = arena_new(&program_arena, struct frame);

	*f = (struct frame){ kind, indent, outer, at->keyword, at->controls, at->frame };
	at->frame = f;
}

static void open_statements(struct site *at, enum frame_kind kind, int outer)
{
	push(at, kind, outer + TAB_WIDTH, outer);
	at->controls = NULL;
	at->at_start = true;
	at->operand = at->header = at->awaits_paren = at->defines = false;
	at->keyword = 0;
}

/* Leaves the innermost frame of the kinds FROM to TO, and the frames in it, which are not closed. False: there is none. */
static bool pop(struct site *at, enum frame_kind from, enum frame_kind to)
{
	const struct frame *f = at->frame;

	while (f->up && (f->kind < from || f->kind > to))
		f = f->up;
	if (!f->up)
		return false;
	at->keyword = f->keyword;
	at->controls = f->controls;
	at->frame = f->up;
	return true;
}

static void open_brace(struct site *at)
{
	if (structure_groups(at)) {
		push(at, FRAME_GROUP, at->line_indent + TAB_WIDTH, at->line_indent);
		at->operand = false;
		return;
	}
	open_statements(at, FRAME_BLOCK, at->controls ? at->controls->indent : at->at_start ? at->line_indent : at->indent);
}

static void close_brace(struct site *at, int next)
{
	if (!pop(at, FRAME_BLOCK, FRAME_GROUP))
		return;
	if (at->header) {
		at->operand = true;
		return;
	}
	/* The second body of an alias follows a comma. */
	if (next != ',' || at->keyword != PROBE)
		end_statement(at, next);
	else
		at->at_start = false;
}

static void open_paren(struct site *at, int column, bool hangs)
{
	push(at, at->awaits_paren ? FRAME_CONTROL : FRAME_PAREN, hangs ? at->line_indent + TAB_WIDTH : column,
	     hangs ? at->line_indent : column - 1);
	at->awaits_paren = at->operand = at->at_start = false;
}

static void close_paren(struct site *at)
{
	bool control = at->frame->kind == FRAME_CONTROL;

	if (at->frame->kind < FRAME_PAREN)
		return;
	at->frame = at->frame->up;
	at->at_start = control;
	at->operand = !control;
}

/* ---- the preprocessor ---- */

static void open_conditional(struct site *at)
{
	struct conditional *c = arena_new(&program_arena, struct conditional);

	*c = (struct conditional){ at->defines, at->line_indent, *at, at->conditionals };
	at->conditionals = c;
	if (c->macro) {
		open_statements(at, FRAME_MACRO, at->line_indent);
		return;
	}
	push(at, FRAME_PAREN, at->line_indent + TAB_WIDTH, at->line_indent);
	at->operand = at->at_start = false;
}

/* Goes back to where the conditional began: a branch begins. */
static void begin_branch(struct site *at)
{
	const struct conditional *c = at->conditionals;
	int line_indent = at->line_indent;

	if (!c)
		return;
	*at = c->saved;
	at->conditionals = c;
	at->line_indent = line_indent;
}

static void close_conditional(struct site *at, int next)
{
	const struct conditional *c = at->conditionals;

	if (!c)
		return;
	if (c->macro) {
		*at = c->saved;
		at->defines = false;
		end_statement(at, next);
	}
	at->conditionals = c->up;
}

/* ---- tokens ---- */

static void begin_statement(struct site *at, int kind)
{
	at->indent = at->line_indent;
	at->at_start = false;
	at->keyword = token_is_keyword(kind) ? kind : 0;
	at->header = kind == PROBE;
	at->operand = false;
	switch (kind) {
	case IF: case WHILE: case FOR: case FOREACH:
		open_control(at, kind, at->line_indent);
		at->awaits_paren = true;
		return;
	case CATCH:
		open_control(at, kind, at->resumed);
		at->awaits_paren = true;
		at->at_start = true;
		return;
	case TRY:
		open_control(at, kind, at->line_indent);
		at->at_start = true;
		return;
	case ELSE:
		open_control(at, kind, at->resumed);
		at->at_start = true;
		return;
	}
}

/* Whether an operand ends with a token of kind KIND that is no bracket. */
static bool ends_operand(const struct site *at, int kind)
{
	switch (kind) {
	case IDENT: case NUMBER: case STRING: case TARGET: case EMBED: case PRETTY: case SCRIPT_ARG: case AT_NAME:
	case STRING_TYPE: case LONG_TYPE:
		return true;
	case '*': /* any key; or a part of the name of a probe point */
		return !at->operand || structure_in_point(at);
	case STEP: case '?': case '!':
		return at->operand && (kind == STEP || structure_in_point(at));
	}
	return false;
}

static void add_word(struct site *at, const struct token *t, int kind, int next)
{
	bool steps = kind == STEP && at->operand;

	if (kind == ';' && structure_in_statements(at)) {
		end_statement(at, next);
		return;
	}
	at->at_start = false;
	at->operand = ends_operand(at, kind);
	at->stepped = steps;
	if (kind == AT_NAME && !strcmp(t->text, "@define"))
		at->defines = true;
	if (kind == EMBED && at->frame->kind == FRAME_TOP)
		end_statement(at, next);
}

void structure_add(struct site *at, const struct token *t, int kind, int next, int column, bool hangs)
{
	bool groups = kind == '{' && structure_groups(at);

	if (at->at_start && structure_in_statements(at) && kind != '{' && kind != '}' && !(kind == '(' && at->awaits_paren) &&
	    (kind < PP_IF || kind > PP_END))
		begin_statement(at, kind);
	switch (kind) {
	case '{': open_brace(at); break;
	case '}': close_brace(at, next); break;
	case '(': case '[': open_paren(at, column, hangs); break;
	case ')': case ']': close_paren(at); break;
	case PP_IF: open_conditional(at); break;
	case PP_THEN: case PP_ELSE: begin_branch(at); break;
	case PP_END: close_conditional(at, next); break;
	case IF: case WHILE: case FOR: case FOREACH: case TRY: case CATCH: case ELSE:
		at->operand = false;
		break;
	default: add_word(at, t, kind, next);
	}
	at->last = groups ? GROUP_OPEN : kind;
}

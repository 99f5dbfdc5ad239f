/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree as canonical source, which parses back to the same tree: one statement a line, parentheses only where
 * precedence asks for them, every simple statement closed by `;` because what follows it might continue it.
 */
#include <string.h>

#include "lib/text.h"
#include "translator/syntax/ast.h"

/* How tightly an expression holds together: levels of ops.def, and three above them. */
enum { LEVEL_COND = 2, LEVEL_IN = 8, LEVEL_UNARY = 14, LEVEL_STEP = 15, LEVEL_ADDRESS = 16, LEVEL_VALUE = 17 };

static int level_of(const struct node *n)
{
	switch (n->kind) {
	case ND_ASSIGN:
	case ND_BINARY:
		return op_info[n->op].level;
	case ND_COND:
		return LEVEL_COND;
	case ND_IN:
		return LEVEL_IN;
	case ND_UNARY:
		return LEVEL_UNARY;
	case ND_INCDEC:
		return LEVEL_STEP;
	case ND_ADDRESS:
		return LEVEL_ADDRESS;
	default:
		return LEVEL_VALUE;
	}
}

/* A string that scans back to the same bytes. */
static void print_string(struct text *t, const char *s, size_t len)
{
	text_quote(t, s, len);
}

static void print_list(struct text *t, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		if (n != list)
			text_puts(t, ", ");
		ast_print_node(t, n);
	}
}

/* With parentheses when N binds weaker than LEVEL. */
static void print_operand(struct text *t, const struct node *n, int level)
{
	bool paren = level_of(n) < level;

	if (paren)
		text_puts(t, "(");
	ast_print_node(t, n);
	if (paren)
		text_puts(t, ")");
}

/* Left of an operator. A match or `in` there is refused without parentheses. */
static void print_left(struct text *t, const struct node *n, int level)
{
	bool match = n->kind == ND_BINARY && (n->op == OP_MATCH || n->op == OP_NMATCH);

	print_operand(t, n, match && level == op_info[OP_MATCH].level ? LEVEL_VALUE : level);
}

static void print_pretty(struct text *t, const struct node *n)
{
	text_append(t, "$$", n->pretty);
}

/* Prints the operand left of `->`, `[` and a `$`. A name in parentheses is no array. */
static void print_base(struct text *t, const struct node *n, bool subscript)
{
	if (subscript && (n->kind == ND_NAME || n->kind == ND_HIST)) {
		text_puts(t, "(");
		ast_print_node(t, n);
		text_puts(t, ")");
	} else {
		print_operand(t, n, LEVEL_ADDRESS + 1);
	}
}

static void print_call(struct text *t, const char *name, const struct node *list)
{
	text_printf(t, "%s(", name);
	print_list(t, list);
	text_puts(t, ")");
}

static bool takes_literal(enum op op)
{
	return op == OP_PRINTF || op == OP_SPRINTF || op == OP_PRINTD || op == OP_PRINTDLN || op == OP_SPRINTD ||
	       op == OP_SPRINTDLN;
}

static void print_print(struct text *t, const struct node *n)
{
	text_printf(t, "%s(", op_info[n->op].lexeme);
	if (takes_literal(n->op)) {
		print_string(t, n->text, n->text_len);
		if (n->list)
			text_puts(t, ", ");
	}
	print_list(t, n->list);
	text_puts(t, ")");
}

/* Parameters of statistics may be negative; elsewhere a number above the signed range wraps. */
static void print_params(struct text *t, const struct node *list)
{
	for (; list; list = list->next)
		text_printf(t, ", %lld", list->num);
}

static void print_stat(struct text *t, const struct node *n)
{
	text_printf(t, "%s(", op_info[n->op].lexeme);
	ast_print_node(t, n->kid[0]);
	print_params(t, n->list);
	text_puts(t, ")");
}

static const char *const at_operators[] = {
	[ND_CAST] = "@cast", [ND_VAR] = "@var", [ND_ENUMNAME] = "@enumname", [ND_DEFINED] = "@defined",
	[ND_ENTRY] = "@entry", [ND_PERF] = "@perf", [ND_CONST] = "@const", [ND_ENUM] = "@enum",
};

/* @op(kid, "text", "text2") with what there is of it; @percpu("text", kid, "text2"). */
static void print_at_operator(struct text *t, const struct node *n)
{
	const struct node *first = n->kind != ND_VAR ? n->kid[0] : NULL, *second = n->kind == ND_VAR ? n->kid[0] : NULL;

	text_printf(t, "%s(", second ? "@percpu" : at_operators[n->kind]);
	if (first)
		ast_print_node(t, first);
	if (n->text) {
		text_puts(t, first ? ", " : "");
		print_string(t, n->text, n->text_len);
	}
	if (second) {
		text_puts(t, ", ");
		ast_print_node(t, second);
	}
	if (n->text2) {
		text_puts(t, ", ");
		print_string(t, n->text2, strlen(n->text2));
	}
	text_puts(t, ")");
	print_pretty(t, n);
}

static void print_unary(struct text *t, const struct node *n)
{
	const struct node *k = n->kid[0];
	const char *lexeme = op_info[n->op].lexeme;
	bool same_sign = (n->op == OP_NEG || n->op == OP_PLUS) &&
			 ((k->kind == ND_UNARY && k->op == n->op) ||
			  (k->kind == ND_INCDEC && op_info[k->op].lexeme[0] == *lexeme &&
			   (k->op == OP_PREINC || k->op == OP_PREDEC)));

	bool match = n->op == OP_NOT && k->kind == ND_UNARY && k->op == OP_COMPL;

	/* `- -a` must not become `--a`, nor `! ~a` a match. */
	text_printf(t, "%s%s", lexeme, same_sign || match ? " " : "");
	print_operand(t, k, LEVEL_UNARY);
}

static void print_step(struct text *t, const struct node *n)
{
	bool prefix = n->op == OP_PREINC || n->op == OP_PREDEC;

	if (prefix)
		text_puts(t, op_info[n->op].lexeme);
	print_operand(t, n->kid[0], LEVEL_STEP + 1);
	if (!prefix)
		text_puts(t, op_info[n->op].lexeme);
}

static void print_binary(struct text *t, const struct node *n)
{
	int level = op_info[n->op].level;
	bool right = n->kind == ND_ASSIGN;

	print_left(t, n->kid[0], right ? LEVEL_COND + 1 : level);
	text_printf(t, " %s ", op_info[n->op].lexeme);
	print_operand(t, n->kid[1], right ? level : level + 1);
}

static void print_in(struct text *t, const struct node *n)
{
	if (n->list && (n->list->next || n->list->kind == ND_STAR)) {
		text_puts(t, "[");
		print_list(t, n->list);
		text_puts(t, "]");
	} else {
		print_operand(t, n->list, LEVEL_IN + 1);
	}
	text_puts(t, " in ");
	ast_print_node(t, n->kid[0]);
}

static void print_cond(struct text *t, const struct node *n)
{
	print_operand(t, n->kid[0], LEVEL_COND + 1);
	text_puts(t, " ? ");
	ast_print_node(t, n->kid[1]);
	text_puts(t, " : ");
	print_operand(t, n->kid[2], LEVEL_COND);
}

static void print_expression(struct text *t, const struct node *n)
{
	switch (n->kind) {
	case ND_NUM:
		text_printf(t, "%llu", (unsigned long long)n->num);
		break;
	case ND_STR:
		print_string(t, n->text, n->text_len);
		break;
	case ND_NAME:
		text_puts(t, n->name);
		break;
	case ND_STAR:
		text_puts(t, "*");
		break;
	case ND_TARGET:
		text_puts(t, n->name);
		print_pretty(t, n);
		break;
	case ND_INDEX:
		ast_print_node(t, n->kid[0]);
		text_puts(t, "[");
		print_list(t, n->list);
		text_puts(t, "]");
		break;
	case ND_CALL:
		print_call(t, n->name, n->list);
		break;
	case ND_UNARY:
		print_unary(t, n);
		break;
	case ND_INCDEC:
		print_step(t, n);
		break;
	case ND_BINARY:
	case ND_ASSIGN:
		print_binary(t, n);
		break;
	case ND_COND:
		print_cond(t, n);
		break;
	case ND_IN:
		print_in(t, n);
		break;
	case ND_ARROW:
		print_base(t, n->kid[0], false);
		text_printf(t, "->%s", n->name);
		print_pretty(t, n);
		break;
	case ND_SUBSCRIPT:
		print_base(t, n->kid[0], true);
		text_puts(t, "[");
		ast_print_node(t, n->kid[1]);
		text_puts(t, "]");
		print_pretty(t, n);
		break;
	case ND_ADDRESS:
		text_puts(t, "&");
		print_operand(t, n->kid[0], LEVEL_ADDRESS);
		break;
	case ND_CAST:
	case ND_VAR:
	case ND_ENUMNAME:
	case ND_DEFINED:
	case ND_ENTRY:
	case ND_PERF:
	case ND_CONST:
	case ND_ENUM:
		print_at_operator(t, n);
		break;
	case ND_REGISTER:
		text_printf(t, "@%cregister(%llu)", n->user ? 'u' : 'k', (unsigned long long)n->num);
		break;
	case ND_DEREF:
		text_printf(t, "@%cderef(%lld, ", n->user ? 'u' : 'k', n->num);
		ast_print_node(t, n->kid[0]);
		text_puts(t, ")");
		break;
	case ND_PROBEWRITE:
		text_printf(t, "@probewrite(%s)", n->name);
		break;
	case ND_STAT:
	case ND_HIST:
		print_stat(t, n);
		break;
	case ND_PRINT:
		print_print(t, n);
		break;
	case ND_EMBED_EXPR:
		text_puts(t, "%{");
		text_append(t, n->text, n->text_len);
		text_puts(t, "%}");
		break;
	default:
		bug("'%s' is no expression", node_kind_name(n->kind));
	}
}

/* ---- statements ---- */

static void print_indent(struct text *t)
{
	for (int i = 0; i < t->indent; i++)
		text_puts(t, "\t");
}

/* A statement inside another one: a block on the same line, anything else on the next, deeper. */
static void print_body(struct text *t, const struct node *n)
{
	if (n->kind == ND_BLOCK) {
		text_puts(t, " ");
		ast_print_node(t, n);
	} else {
		text_puts(t, "\n");
		t->indent++;
		print_indent(t);
		ast_print_node(t, n);
		t->indent--;
	}
}

static void print_block(struct text *t, const struct node *n)
{
	text_puts(t, "{\n");
	t->indent++;
	for (const struct node *s = n->list; s; s = s->next) {
		print_indent(t);
		ast_print_node(t, s);
		text_puts(t, "\n");
	}
	t->indent--;
	print_indent(t);
	text_puts(t, "}");
}

static void print_if(struct text *t, const struct node *n)
{
	/* The parser gives an else to the nearest if, so no branch with an else ends in an if without one. */
	text_puts(t, "if (");
	ast_print_node(t, n->kid[0]);
	text_puts(t, ")");
	print_body(t, n->kid[1]);
	if (!n->kid[2])
		return;
	if (n->kid[1]->kind == ND_BLOCK) {
		text_puts(t, " else");
	} else {
		text_puts(t, "\n");
		print_indent(t);
		text_puts(t, "else");
	}
	if (n->kid[2]->kind == ND_IF) {
		text_puts(t, " ");
		ast_print_node(t, n->kid[2]);
	} else {
		print_body(t, n->kid[2]);
	}
}

static void print_direction(struct text *t, const struct foreach *f, int field)
{
	if (f->dir != SORT_NONE && f->sort_by == field && f->sort_op == OP_NONE)
		text_puts(t, f->dir == SORT_UP ? "+" : "-");
}

static void print_foreach(struct text *t, const struct node *n)
{
	const struct foreach *f = n->foreach;
	bool brackets = f->keys->next;
	int i = 0;

	text_puts(t, "foreach (");
	if (f->value)
		text_printf(t, "%s = ", f->value->name);
	text_puts(t, brackets ? "[" : "");
	for (const struct node *k = f->keys; k; k = k->next) {
		text_printf(t, "%s%s", i ? ", " : "", k->name);
		print_direction(t, f, ++i);
	}
	text_puts(t, brackets ? "] in " : " in ");
	ast_print_node(t, n->kid[0]);
	if (f->slice) {
		text_puts(t, "[");
		print_list(t, f->slice);
		text_puts(t, "]");
	}
	/* `v- = k in a` and `k in a-` are the same. */
	print_direction(t, f, 0);
	if (f->sort_op != OP_NONE)
		text_printf(t, " %s %s", op_info[f->sort_op].lexeme, f->dir == SORT_UP ? "+" : "-");
	if (n->kid[1]) {
		text_puts(t, " limit ");
		ast_print_node(t, n->kid[1]);
	}
	text_puts(t, ")");
	print_body(t, n->kid[2]);
}

static void print_for(struct text *t, const struct node *n)
{
	text_puts(t, "for (");
	for (int i = 0; i < 3; i++) {
		if (n->kid[i])
			ast_print_node(t, n->kid[i]);
		text_puts(t, i < 2 ? "; " : ")");
	}
	print_body(t, n->kid[3]);
}

static void print_try(struct text *t, const struct node *n)
{
	text_puts(t, "try ");
	ast_print_node(t, n->kid[0]);
	text_puts(t, " catch ");
	if (n->kid[2])
		text_printf(t, "(%s) ", n->kid[2]->name);
	ast_print_node(t, n->kid[1]);
}

static void print_simple(struct text *t, const char *word, const struct node *operand)
{
	text_printf(t, "%s%s", word, operand && *word ? " " : "");
	if (operand)
		ast_print_node(t, operand);
	text_puts(t, ";");
}

void ast_print_node(struct text *t, const struct node *n)
{
	switch (n->kind) {
	case ND_NULL_STMT:
		text_puts(t, ";");
		break;
	case ND_BLOCK:
		print_block(t, n);
		break;
	case ND_IF:
		print_if(t, n);
		break;
	case ND_WHILE:
		text_puts(t, "while (");
		ast_print_node(t, n->kid[0]);
		text_puts(t, ")");
		print_body(t, n->kid[1]);
		break;
	case ND_FOR:
		print_for(t, n);
		break;
	case ND_FOREACH:
		print_foreach(t, n);
		break;
	case ND_TRY:
		print_try(t, n);
		break;
	case ND_BREAK:
		print_simple(t, "break", NULL);
		break;
	case ND_CONTINUE:
		print_simple(t, "continue", NULL);
		break;
	case ND_NEXT:
		print_simple(t, "next", NULL);
		break;
	case ND_RETURN:
		print_simple(t, "return", n->kid[0]);
		break;
	case ND_DELETE:
		print_simple(t, "delete", n->kid[0]);
		break;
	case ND_EXPR:
		print_simple(t, "", n->kid[0]);
		break;
	case ND_EMBED:
		text_puts(t, "%{");
		text_append(t, n->text, n->text_len);
		text_puts(t, "%};");
		break;
	default:
		print_expression(t, n);
	}
}

/* ---- top level ---- */

/* A number where the grammar knows a sign. */
static void print_literal(struct text *t, const struct node *n)
{
	if (n->kind == ND_NUM)
		text_printf(t, "%lld", n->num);
	else
		print_string(t, n->text, n->text_len);
}

/* Is the number in C an address, which nobody reads in decimal? */
static bool is_address(const struct component *c)
{
	return !strcmp(c->name, "statement") || !strcmp(c->name, "function") || !strcmp(c->name, "data");
}

void ast_print_components(struct text *t, const struct component *c)
{
	for (const struct component *at = c; at; at = at->next) {
		text_printf(t, "%s%s", at == c ? "" : ".", at->name);
		if (!at->arg)
			continue;
		text_puts(t, "(");
		if (at->arg->kind == ND_NUM && is_address(at))
			text_printf(t, "%#llx", (unsigned long long)at->arg->num);
		else
			print_literal(t, at->arg);
		text_puts(t, ")");
	}
}

void ast_print_point(struct text *t, const struct probe_point *pp)
{
	ast_print_components(t, pp->parts);
	if (pp->optional)
		text_puts(t, pp->sufficient ? "!" : "?");
	if (pp->condition) {
		text_puts(t, " if (");
		ast_print_node(t, pp->condition);
		text_puts(t, ")");
	}
}

static void print_points(struct text *t, const struct probe_point *list)
{
	for (const struct probe_point *pp = list; pp; pp = pp->next) {
		if (pp != list)
			text_puts(t, ", ");
		ast_print_point(t, pp);
	}
	text_puts(t, " ");
}

static void print_global(struct text *t, const struct symbol *s)
{
	text_printf(t, "%s %s%s", s->is_private ? "private" : "global", s->name, s->wrap ? "%" : "");
	if (s->size)
		text_printf(t, "[%lld]", s->size);
	if (s->init) {
		text_puts(t, " = ");
		print_literal(t, s->init);
	}
	text_puts(t, "\n");
}

static void print_type(struct text *t, enum type type)
{
	if (type == TY_LONG || type == TY_STRING)
		text_puts(t, type == TY_LONG ? ":long" : ":string");
}

static void print_function(struct text *t, const struct function *f)
{
	text_printf(t, "%sfunction %s", f->is_private ? "private " : "", f->name);
	if (f->type_declared)
		print_type(t, f->type);
	text_puts(t, "(");
	for (const struct symbol *a = f->params; a; a = a->next) {
		text_printf(t, "%s%s", a == f->params ? "" : ", ", a->name);
		if (a->type_loc.src)
			print_type(t, a->type);
	}
	text_puts(t, ") ");
	if (f->priority != f->file->tapset)
		text_printf(t, ": %d ", f->priority);
	if (f->body)
		ast_print_node(t, f->body);
	else
		text_printf(t, "%%{%s%%}", f->c_body);
	text_puts(t, "\n");
}

static void print_alias(struct text *t, const struct alias *a)
{
	text_puts(t, "probe ");
	ast_print_components(t, a->name);
	text_puts(t, a->append ? " += " : " = ");
	print_points(t, a->points);
	if (a->prologue)
		ast_print_node(t, a->prologue);
	if (a->epilogue) {
		text_puts(t, a->prologue ? ", " : "");
		ast_print_node(t, a->epilogue);
	}
	text_puts(t, "\n");
}

void ast_print(struct text *t, const struct program *p)
{
	for (const struct embedded_c *e = p->embedded; e; e = e->next)
		text_printf(t, "%%{%s%%}\n", e->text);
	for (const struct symbol *s = p->globals; s; s = s->next) {
		if (!s->file->tapset)
			print_global(t, s);
	}
	for (const struct function *f = p->functions; f; f = f->next) {
		if (!f->file->tapset)
			print_function(t, f);
	}
	for (const struct alias *a = p->aliases; a; a = a->next) {
		if (!a->file->tapset)
			print_alias(t, a);
	}
	for (const struct probe_def *d = p->probe_defs; d; d = d->next) {
		if (d->file->tapset)
			continue;
		text_puts(t, "probe ");
		print_points(t, d->points);
		ast_print_node(t, d->body);
		text_puts(t, "\n");
	}
}

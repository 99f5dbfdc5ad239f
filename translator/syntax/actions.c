/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements and expressions, as the grammar meets them. Each function makes one node and checks what the grammar
 * has no rule for. A tree higher than DEPTH_MAX is cut: passes may recurse.
 */
#include "translator/syntax/actions.h"

#include <string.h>

#include "translator/syntax/grammar.h"
#include "translator/syntax/habits.h"

/* ---- lists and nodes ---- */

struct node_list list_add(const struct node_list *list, struct node *n)
{
	struct node_list l = list ? *list : (struct node_list){ 0 };

	if (l.last)
		l.last->next = n;
	else
		l.first = n;
	l.last = n;
	l.n++;
	if (n->height > l.height)
		l.height = n->height;
	return l;
}

/* A `;` between statements means nothing. */
struct node_list statements_add(const struct node_list *list, struct node *n)
{
	return n->kind == ND_NULL_STMT ? *list : list_add(list, n);
}

/* Sets the height. A node too high becomes a leaf, after one message. */
static struct node *bounded(struct unit *u, struct node *n, int list_height)
{
	int height = list_height;

	for (int i = 0; i < 4; i++) {
		if (n->kid[i] && n->kid[i]->height > height)
			height = n->kid[i]->height;
	}
	if (height < DEPTH_MAX) {
		n->height = (unsigned short)(height + 1);
		return n;
	}
	parse_too_deep(u, n->loc);
	n = node_new(n->kind >= ND_NULL_STMT ? ND_NULL_STMT : ND_NUM, n->loc);
	return n;
}

struct node *make(struct unit *u, enum node_kind kind, struct loc loc, struct node *k0, struct node *k1,
		  struct node *k2, struct node *k3)
{
	struct node *n = node_new(kind, loc);

	n->kid[0] = k0;
	n->kid[1] = k1;
	n->kid[2] = k2;
	n->kid[3] = k3;
	return bounded(u, n, 0);
}

struct node *make_list(struct unit *u, enum node_kind kind, struct loc loc, const struct node_list *list)
{
	struct node *n = node_new(kind, loc);

	n->list = list->first;
	return bounded(u, n, list->height);
}

/* ---- operands ---- */

struct node *make_number(struct unit *u, const struct token *t, bool negative)
{
	struct node *n = node_new(ND_NUM, t->loc);
	unsigned long long value = (unsigned long long)t->num;

	if (t->bad_number) {
		error(t->loc, DIAG_NUMBER, "'%.40s' is not a number of 64 bits", t->text);
		note(t->loc, "decimal, 0x hexadecimal and 0 octal numbers are known; no suffixes");
	} else if (negative && value > 1ull << 63) {
		error(t->loc, DIAG_NUMBER, "-%s is below the smallest number, %lld", t->text, (long long)(1ull << 63));
	}
	n->num = (long long)(negative ? 0 - value : value);
	return n;
}

struct node *make_string(struct unit *u, const struct token *t)
{
	struct node *n = node_new(ND_STR, t->loc);

	n->text = t->text;
	n->text_len = t->len;
	return n;
}

struct node *make_name(struct unit *u, const struct token *t)
{
	struct node *n = node_new(ND_NAME, t->loc);

	n->name = t->text;
	return n;
}

/* Takes the `$` or `$$` from the end of a name. */
static void set_pretty_name(struct node *n, const struct token *t)
{
	size_t len = t->len;

	while (len > 1 && t->text[len - 1] == '$')
		len--;
	if (t->len - len > 2)
		error(t->loc, DIAG_SYNTAX, "'%s' has more than two '$' at its end", t->text);
	n->pretty = t->len - len > 1 ? 2 : (unsigned char)(t->len - len);
	n->name = intern_n(t->text, len);
}

struct node *make_target(struct unit *u, const struct token *t)
{
	struct node *n = node_new(ND_TARGET, t->loc);

	set_pretty_name(n, t);
	return n;
}

static void need_guru(struct unit *u, struct loc loc, const char *what)
{
	if (u->opt->guru || u->src->tapset)
		return;
	error(loc, DIAG_GURU, "%s needs -g", what);
	note(loc, "it can crash the system; run ktap with -g if you vouch for it");
}

struct node *make_embedded(struct unit *u, const struct token *t)
{
	struct node *n = node_new(ND_EMBED_EXPR, t->loc);

	need_guru(u, t->loc, "embedded C");
	n->text = t->text;
	n->text_len = t->len;
	return n;
}

struct node *make_paren(struct node *n)
{
	n->paren = true;
	return n;
}

struct node *make_call(struct unit *u, const struct token *name, const struct node_list *args)
{
	struct node *n = make_list(u, ND_CALL, name->loc, args);

	n->name = name->text;
	return n;
}

/* What can follow `->`, `[` or `&`: a value of the probed program. */
static bool is_target_value(const struct node *n)
{
	return n->kind == ND_TARGET || n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT ||
	       n->kind == ND_CAST || n->kind == ND_VAR;
}

static bool reject_pretty(const struct node *base, struct loc loc)
{
	if (!is_target_value(base) || !base->pretty)
		return false;
	error(loc, DIAG_SYNTAX, "a value printed with '$' is a string: nothing can be taken out of it");
	note(base->loc, "put the '$' at the end");
	return true;
}

/* A name before `[` is an array; anything else is indexed as a value of the probed program. */
struct node *make_index(struct unit *u, struct node *base, const struct node_list *keys, struct loc bracket)
{
	struct node *n;

	reject_pretty(base, bracket);
	if (base->kind == ND_HIST || (base->kind == ND_NAME && !base->paren)) {
		n = make_list(u, ND_INDEX, base->loc, keys);
		n->kid[0] = base;
		return n->kind == ND_INDEX ? bounded(u, n, keys->height) : n;
	}
	if (keys->n > 1)
		error(bracket, DIAG_SYNTAX, "only an array takes more than one key, and an array is a name");
	else if (keys->first->kind == ND_STAR)
		error(keys->first->loc, DIAG_SYNTAX, "'*' is a key of arrays only");
	return make(u, ND_SUBSCRIPT, bracket, base, keys->first, NULL, NULL);
}

struct node *make_arrow(struct unit *u, struct node *base, const struct token *member)
{
	struct node *n;

	reject_pretty(base, member->loc);
	n = make(u, ND_ARROW, member->loc, base, NULL, NULL, NULL);
	if (n->kind == ND_ARROW)
		set_pretty_name(n, member);
	return n;
}

struct node *make_pretty(struct unit *u, struct node *base, const struct token *t)
{
	if (!is_target_value(base) || base->pretty) {
		error(t->loc, DIAG_SYNTAX, "'%s' prints a value of the probed program; this is not one", t->text);
		note(t->loc, "write it after a $variable, a member, an element, @cast() or @var()");
		return base;
	}
	base->pretty = (unsigned char)t->len;
	return base;
}

/* Macros choose between two places of a value, one of which is not defined: `&(a ? b : c)` is `a ? &b : &c`. */
struct node *make_address(struct unit *u, struct loc loc, struct node *n)
{
	if (n->kind == ND_COND) {
		n->kid[1] = make_address(u, loc, n->kid[1]);
		n->kid[2] = make_address(u, loc, n->kid[2]);
		return bounded(u, n, 0);
	}
	if (!is_target_value(n)) {
		error(loc, DIAG_SYNTAX, "'&' takes the address of a $variable, a member or an element only");
		note(n->loc, "this is a %s", node_kind_name(n->kind));
	} else {
		reject_pretty(n, loc);
	}
	return make(u, ND_ADDRESS, loc, n, NULL, NULL, NULL);
}

/* ---- operators ---- */

static struct node *make_op(struct unit *u, enum node_kind kind, enum op op, struct loc loc, struct node *a,
			    struct node *b)
{
	struct node *n = make(u, kind, loc, a, b, NULL, NULL);

	if (n->kind == kind)
		n->op = op;
	return n;
}

struct node *make_step(struct unit *u, const struct token *op, struct node *n, bool prefix)
{
	bool inc = op->op == OP_PREINC;

	return make_op(u, ND_INCDEC, prefix ? op->op : inc ? OP_POSTINC : OP_POSTDEC, op->loc, n, NULL);
}

struct node *make_unary(struct unit *u, enum op op, struct loc loc, struct node *n)
{
	return make_op(u, ND_UNARY, op, loc, n, NULL);
}

struct node *make_binary(struct unit *u, const struct token *op, struct node *a, struct node *b)
{
	int level = op_info[op->op].level;

	/* `k in a == 1`: what comes first is clear to the grammar and to nobody else. SystemTap refuses it too. */
	if (!a->paren && ((a->kind == ND_IN && level >= op_info[OP_LT].level) ||
			  (a->kind == ND_BINARY && (a->op == OP_MATCH || a->op == OP_NMATCH) &&
			   level >= op_info[OP_MATCH].level))) {
		error(op->loc, DIAG_SYNTAX, "'%s' after '%s'", op->text,
		      a->kind == ND_IN ? "in" : op_info[a->op].lexeme);
		note(a->loc, "put parentheses around what belongs together");
	}
	return make_op(u, ND_BINARY, op->op, op->loc, a, b);
}

struct node *make_assign(struct unit *u, const struct token *op, struct node *a, struct node *b)
{
	return make_op(u, ND_ASSIGN, op->op, op->loc, a, b);
}

struct node *make_in(struct unit *u, const struct token *in, const struct node_list *keys, struct node *one,
		     struct node *where)
{
	struct node_list single = one ? list_add(NULL, one) : (struct node_list){ 0 };
	struct node *n = make_list(u, ND_IN, in->loc, keys ? keys : &single);

	if (n->kind == ND_IN)
		n->kid[0] = where;
	if (where->kind == ND_HIST && n->list && (n->list->next || n->list->kind == ND_STAR))
		error(n->list->loc, DIAG_STAT, "a histogram has one key, the number of a bucket");
	return n;
}

struct node *make_print(struct unit *u, const struct token *name, const struct node_list *args)
{
	enum op op = name->op;
	bool format = op == OP_PRINTF || op == OP_SPRINTF;
	bool literal = format || op == OP_PRINTD || op == OP_PRINTDLN || op == OP_SPRINTD || op == OP_SPRINTDLN;
	bool line = op == OP_PRINTLN || op == OP_SPRINTLN;
	struct node *n = make_list(u, ND_PRINT, name->loc, args), *first = args->first;
	int rest = args->n - literal;

	if (n->kind != ND_PRINT)
		return n;
	n->op = op;
	if (literal && (!first || first->kind != ND_STR)) {
		error(first ? first->loc : name->loc, DIAG_FORMAT, "%s() needs a literal %s as its first argument",
		      name->text, format ? "format" : "delimiter");
		if (!first || !habit_note(HABIT_SHAPE, first->kind == ND_BINARY ? first->kid[0]->loc : first->loc))
			note(name->loc, format ? "print(value) and println(value) need no format" : "write %s(\" \", ...)", name->text);
		n->text = "";
	} else if (literal) {
		n->text = first->text;
		n->text_len = first->text_len;
		n->list = first->next;
	}
	if (format && first && first->kind == ND_STR)
		check_print_format(u, first);
	else if (rest < 1 && !line && !format)
		error(name->loc, DIAG_FORMAT, "%s() has nothing to print", name->text);
	else if (literal && rest == 1 && !format && first->kind == ND_STR)
		error(name->loc, DIAG_FORMAT, "%s() separates values, but only one is given", name->text);
	else if (rest > 1 && op == OP_PRINT_CHAR)
		error(name->loc, DIAG_FORMAT, "print_char() prints one character");
	if (rest > PRINT_ARGS_MAX)
		error(name->loc, DIAG_FORMAT, "%s() has %d arguments, at most %d are possible", name->text, rest,
		      PRINT_ARGS_MAX);
	return n;
}

/* ---- @-operators ---- */

/* How many parameters the statistics operators take after the aggregate. */
static void check_stat_params(const struct token *op, const struct node_list *params)
{
	int min = op->op == OP_HIST_LINEAR ? 3 : op->op == OP_PCT && op->num < 0 ? 1 : 0;
	int max = op->op == OP_VARIANCE ? 1 : min;
	const struct node *p = params->first;

	if (params->n < min || params->n > max) {
		error(op->loc, DIAG_STAT, "%s takes %d%s number%s after the aggregate, not %d", op->text, min,
		      max > min ? " or 1" : "", max == 1 ? "" : "s", params->n);
		note(op->loc, "%s", op->op == OP_HIST_LINEAR ? "write @hist_linear(s, low, high, width)"
				    : op->op == OP_PCT	     ? "write @p(s, 99) or @p99(s)"
				    : op->op == OP_VARIANCE  ? "write @variance(s) or @variance(s, shift)"
							     : "write only the aggregate in parentheses");
		return;
	}
	if (op->op == OP_HIST_LINEAR && p->next->num < p->num)
		error(p->next->loc, DIAG_STAT, "the upper limit of the histogram is below the lower one");
	else if (op->op == OP_HIST_LINEAR && p->next->next->num <= 0)
		error(p->next->next->loc, DIAG_STAT, "the bucket width of the histogram is not above 0");
	else if (op->op == OP_VARIANCE && p && (p->num < 0 || p->num > 62))
		error(p->loc, DIAG_STAT, "bit shift %lld is out of range 0..62", p->num);
	else if (op->op == OP_PCT && p && (p->num < 0 || p->num > 100))
		error(p->loc, DIAG_STAT, "there is no percentile %lld; 0 to 100 are possible", p->num);
}

struct node *make_stat(struct unit *u, enum node_kind kind, const struct token *op, struct node *n,
		       const struct node_list *params)
{
	struct node *stat = make(u, kind, op->loc, n, NULL, NULL, NULL);

	check_stat_params(op, params);
	if (stat->kind != kind)
		return stat;
	stat->op = op->op;
	stat->list = params->first;
	if (op->op == OP_PCT && op->num >= 0) {
		stat->list = node_new(ND_NUM, op->loc);
		stat->list->num = op->num;
	}
	return stat;
}

struct node *make_typed(struct unit *u, enum node_kind kind, const struct token *op, struct node *n,
			const struct token *text, const struct token *module)
{
	struct node *typed = make(u, kind, op->loc, n, NULL, NULL, NULL);

	if (typed->kind != kind)
		return typed;
	if (kind == ND_CONST)
		need_guru(u, op->loc, "@const()");
	typed->text = text ? text->text : NULL;
	typed->text_len = text ? text->len : 0;
	typed->text2 = module ? module->text : NULL;
	if (text && !text->len)
		error(text->loc, DIAG_SYNTAX, "%s with an empty name", op->text);
	return typed;
}

struct node *make_register(struct unit *u, const struct token *op, const struct token *number)
{
	struct node *n = make_number(u, number, false);

	n->kind = ND_REGISTER;
	n->loc = op->loc;
	n->user = op->num;
	if (!n->user)
		need_guru(u, op->loc, "@kregister()");
	return n;
}

struct node *make_deref(struct unit *u, const struct token *op, const struct token *size, struct node *address)
{
	struct node *n = make(u, ND_DEREF, op->loc, address, NULL, NULL, NULL);
	const struct node *bytes = make_number(u, size, false);

	if (n->kind != ND_DEREF)
		return n;
	n->num = bytes->num;
	n->user = op->num;
	if (n->num != 1 && n->num != 2 && n->num != 4 && n->num != 8)
		error(size->loc, DIAG_NUMBER, "%s reads 1, 2, 4 or 8 bytes, not %s", op->text, size->text);
	if (!n->user)
		need_guru(u, op->loc, "@kderef()");
	return n;
}

struct node *make_probewrite(struct unit *u, const struct token *op, const struct token *name)
{
	struct node *n = make_name(u, name);

	n->kind = ND_PROBEWRITE;
	n->loc = op->loc;
	return n;
}

/* ---- statements ---- */

struct node *make_delete(struct unit *u, struct loc loc, struct node *n)
{
	if (n->kind != ND_NAME && (n->kind != ND_INDEX || n->kid[0]->kind != ND_NAME)) {
		error(n->loc, DIAG_LVALUE, "only a global, an array or an array element can be deleted");
		note(n->loc, "this is a %s", node_kind_name(n->kind));
	}
	return make(u, ND_DELETE, loc, n, NULL, NULL, NULL);
}

struct node *make_expr_statement(struct unit *u, struct node *n)
{
	if (n->kind == ND_EMBED_EXPR && !n->paren) {
		n->kind = ND_EMBED;
		return n;
	}
	return make(u, ND_EXPR, n->loc, n, NULL, NULL, NULL);
}

/* ---- heads of foreach ---- */

/* Notes that FIELD (0 value, else key number) is marked with a direction. */
static void foreach_direct(struct foreach *f, int field, struct sort sort)
{
	if (sort.dir == SORT_NONE)
		return;
	if (f->dir != SORT_NONE) {
		error(sort.loc, DIAG_FOREACH, "a second sort direction in one foreach");
		note(f->sort_loc, "the first is here; a loop sorts by one thing");
		return;
	}
	f->sort_by = field;
	f->dir = sort.dir;
	f->sort_op = sort.op;
	f->sort_loc = sort.loc;
}

struct foreach *foreach_key(struct unit *u, struct foreach *f, const struct token *name, struct sort dir)
{
	struct node **end;
	int n = 1;

	if (!f) {
		f = arena_new(&program_arena, struct foreach);
		f->sort_by = -1;
	}
	for (end = &f->keys; *end; end = &(*end)->next)
		n++;
	/* The first one too many is kept, so that it is reported alone. */
	if (n > ARRAY_KEYS_MAX + 1)
		return f;
	if (n > ARRAY_KEYS_MAX)
		error(name->loc, DIAG_FOREACH, "more than %d keys; no array has that many", ARRAY_KEYS_MAX);
	*end = make_name(u, name);
	foreach_direct(f, n, dir);
	return f;
}

struct foreach *foreach_value(struct unit *u, struct foreach *f, const struct token *name, struct sort dir)
{
	f->value = make_name(u, name);
	foreach_direct(f, 0, dir);
	return f;
}

struct sort foreach_order(struct unit *u, const struct token *op, struct sort dir)
{
	if (dir.dir == SORT_NONE) {
		error(op->loc, DIAG_FOREACH, "%s in the head of foreach needs a direction", op->text);
		note(op->loc, "write '%s +' for smallest first, '%s -' for largest first", op->text, op->text);
		dir = (struct sort){ SORT_DOWN, OP_NONE, op->loc };
	}
	if (op->op == OP_PCT)
		error(op->loc, DIAG_FOREACH, "a loop cannot sort by a percentile");
	dir.op = op->op;
	return dir;
}

struct node *make_foreach(struct unit *u, struct loc loc, struct foreach *f, struct node *source,
			  struct sort sort, struct node *limit, struct node *body)
{
	struct node *n = make(u, ND_FOREACH, loc, source, limit, body, NULL);

	if (n->kind != ND_FOREACH)
		return n;
	foreach_direct(f, 0, sort);
	n->foreach = f;
	if (source->kind == ND_INDEX) {
		f->slice = source->list;
		n->kid[0] = source->kid[0];
	} else if (source->kind == ND_HIST && f->keys->next) {
		error(f->keys->next->loc, DIAG_FOREACH, "a histogram has one key, its bucket");
	}
	return n;
}

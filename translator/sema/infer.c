/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types: one for each variable, array key, array value, function and expression, found over the whole program.
 *
 * The passes over all bodies repeat until nothing new is learnt: what a use needs (`want`) flows down, what a value is
 * flows up, and the first place that fixes a type wins. Then one more pass reports each place that disagrees, together
 * with the place that decided. Nothing is converted implicitly.
 */
#include <string.h>

#include "lib/status.h"
#include "translator/probe/access.h"
#include "translator/probe/context.h"
#include "translator/sema/embedded.h"
#include "translator/sema/pass.h"
#include "translator/sema/words.h"
#include "translator/syntax/habits.h"

struct infer {
	struct program *program;
	struct function *function; /* being walked, NULL: a probe */
	int pass;                  /* from 1 */
	bool changed;
	bool zero;                 /* what returns nothing is 0 where a number is needed, "" where a string is */
	bool report;
	bool ok;
};

/* Why a value needs its type, for the message. Formatted only when something is wrong. */
enum why_kind { WHY_NONE, WHY_OPERATOR, WHY_CONDITION, WHY_ASSIGN, WHY_ARGUMENT, WHY_KEY, WHY_RETURN,
		WHY_FORMAT, WHY_COMPARE, WHY_USE };

struct why {
	enum why_kind kind;
	const char *name;           /* operator, function, array or variable */
	int number;                 /* of the argument or key, from 1 */
	struct loc decided;         /* where the wanted type comes from; line 0: from the language */
	const struct node *other;   /* what is compared with; NULL: nothing is */
};

static enum type infer(struct infer *in, struct node *n, enum type want, const struct why *why);

static const struct why no_why;

/* ---- messages ---- */

/* The name of N in messages. */
static const char *describe(const struct node *n)
{
	switch (n->kind) {
	case ND_NAME:
		return arena_printf(&program_arena, "'%s'", n->name);
	case ND_INDEX:
		return n->kid[0]->kind == ND_NAME ?
			arena_printf(&program_arena, "an element of '%s'", n->kid[0]->name) : "a bucket";
	case ND_CALL:
		return arena_printf(&program_arena, "'%s()'", n->name);
	case ND_NUM:
		return arena_printf(&program_arena, "%lld", n->num);
	case ND_STR:
		return "this text";
	default:
		return "this expression";
	}
}

/* Where N's own type was decided, as a note. */
static void note_origin(const struct node *n)
{
	const struct symbol *s = n->kind == ND_NAME ? n->sym :
				 n->kind == ND_INDEX ? n->kid[0]->sym : NULL;
	const char *what = s && s->array ? "elements of " : "";

	if (s && s->type_loc.line)
		note(s->type_loc, "%s'%s' first used as %s here", what, s->name, type_name(s->type));
	else if (n->kind == ND_CALL && n->func && n->func->type_loc.line)
		note(n->func->type_loc, "'%s' returns %s here", n->func->name, type_a(n->func->type));
}

/* The second place of a message: what fixed the type that N does not have. */
static void note_decided(const struct why *why, enum type want)
{
	if (!why->decided.line)
		return;
	if (why->kind == WHY_ASSIGN)
		note(why->decided, "'%s' was first %s here", why->name, type_a(want));
	else if (why->kind == WHY_KEY)
		note(why->decided, "key %d of '%s' was first %s here", why->number, why->name, type_a(want));
	else if (why->kind == WHY_COMPARE)
		note(why->decided, "the other side is %s", type_a(want));
	else
		note(why->decided, "%s was first wanted here", type_a(want));
}

/* Says how the string is read that N, a number, is the address of, or with FORMAT what prints the number. False: it is the address of none, as
 * far as is known. */
static bool note_address(const struct node *n, bool format)
{
	const struct ctype *to = context_points_to(n);
	bool user = n->access && n->access->user_memory;

	while (to && to->kind == CT_ARRAY)
		to = ctype_pointee(to);
	if (n->kind == ND_NAME && to && to->kind == CT_CHAR) {
		note(n->loc, "write %s_string(%s)", target_is_user(to->target) ? "user" : "kernel", n->name);
		return true;
	}
	return (format || n->access) && habit_note(user ? HABIT_FORMAT_USER : HABIT_FORMAT, node_start(n));
}

/* Says how other languages' ways to mix numbers and strings are written. */
static void note_habit(const struct node *n, enum type have, enum type want, const struct why *why)
{
	if (habit_note(HABIT_VALUE, n->loc))
		return;
	if (why->kind == WHY_KEY && context_char_array(n))
		note(n->loc, "'&' before it is its address");
	else if (want == TY_STRING && have == TY_LONG && note_address(n, why->kind == WHY_FORMAT))
		;
	else if (why->other && have == TY_STRING && want == TY_LONG && note_address(why->other, false))
		;
	else if (why->kind == WHY_FORMAT && want == TY_STRING && n->kind == ND_NAME)
		note(n->loc, "write %%d for a number");
	else if (why->kind == WHY_OPERATOR && have == TY_STRING && !strcmp(why->name, "+"))
		note(n->loc, "strings are joined with '.'; sprint(number) makes a string of a number");
	else if (why->kind == WHY_OPERATOR && have == TY_STRING)
		note(n->loc, "strtol(text, 10) makes a number of a string");
	else if ((why->kind == WHY_OPERATOR || why->kind == WHY_ARGUMENT) && want == TY_STRING)
		note(n->loc, "sprint(number) makes a string of a number");
	else if (why->kind == WHY_CONDITION && n->kind == ND_ASSIGN)
		note(n->loc, "'==' compares, '=' assigns");
	else if (why->kind == WHY_CONDITION)
		note(n->loc, "compare it: ... != \"\"");
	else if (why->kind == WHY_FORMAT && want == TY_LONG)
		note(n->loc, "write %%s for a string");
}

static void report_mismatch(struct infer *in, const struct node *n, enum type have, enum type want,
			    const struct why *why)
{
	const char *what = describe(n), *is = type_a(have), *needs = type_a(want);

	in->ok = false;
	if (have == TY_STAT) {
		error(n->loc, DIAG_STAT, "%s is an aggregate and has no value of its own", what);
		note(n->loc, "read it with @count, @sum, @min, @max, @avg or @variance");
		return;
	}
	if (want == TY_STAT) {
		error(n->loc, DIAG_STAT, "%s is %s, but %s needs an aggregate", what, is, why->name);
		note_origin(n);
		return;
	}
	switch (why->kind) {
	case WHY_OPERATOR:
		error(n->loc, DIAG_TYPE, "%s is %s, but operator '%s' needs %s", what, is, why->name, needs);
		break;
	case WHY_CONDITION:
		error(n->loc, DIAG_TYPE, "%s is %s, but a condition is %s", what, is, needs);
		break;
	case WHY_ASSIGN:
		error(n->loc, DIAG_TYPE, "%s is %s, but it is stored in '%s', %s", what, is, why->name,
		      needs);
		break;
	case WHY_ARGUMENT:
		error(n->loc, DIAG_TYPE, "%s is %s, but argument %d of '%s' is %s", what, is, why->number,
		      why->name, needs);
		break;
	case WHY_KEY:
		error(n->loc, DIAG_KEY_TYPE, "key %d of '%s' is %s, expected %s", why->number, why->name, is,
		      needs);
		break;
	case WHY_RETURN:
		error(n->loc, DIAG_TYPE, "%s is %s, but '%s' returns %s", what, is, why->name, needs);
		break;
	case WHY_FORMAT:
		error(n->loc, DIAG_FORMAT, "%s is %s, but directive %d of the format needs %s", what, is,
		      why->number, needs);
		break;
	case WHY_COMPARE:
		error(n->loc, DIAG_TYPE, "%s is %s, but the other side of '%s' is %s", what, is, why->name,
		      needs);
		break;
	case WHY_NONE:
	case WHY_USE:
		error(n->loc, DIAG_TYPE, "%s is %s, expected %s", what, is, needs);
		break;
	}
	note_habit(n, have, want, why);
	note_decided(why, want);
	if (why->kind != WHY_KEY)
		note_origin(n);
}

/* ---- learning ---- */

/* The first to know decides; later ones are compared in the reporting pass. */
static void learn(struct infer *in, enum type *t, struct loc *from, enum type type, struct loc loc)
{
	if (*t != TY_UNKNOWN || type == TY_UNKNOWN)
		return;
	*t = type;
	*from = loc;
	in->changed = true;
}

/* HAVE as the type of N; reports when the use needs another. */
static enum type settle(struct infer *in, struct node *n, enum type have, enum type want,
			const struct why *why)
{
	n->type = have;
	if (in->report && want != TY_UNKNOWN && have != TY_UNKNOWN && want != have)
		report_mismatch(in, n, have, want, why);
	return have;
}

/* `enough && exit()` is a way to write `if`: there the 0 of what returns nothing is not a mistake. */
static bool is_condition(const struct why *why)
{
	return why->kind == WHY_OPERATOR &&
	       (!strcmp(why->name, op_info[OP_LAND].lexeme) || !strcmp(why->name, op_info[OP_LOR].lexeme));
}

/* A value is needed: an aggregate is not one, and a function should return one. */
static enum type infer_value(struct infer *in, struct node *n, enum type want, const struct why *why)
{
	enum type t = infer(in, n, want, why);

	if (!in->report)
		return t;
	if (t == TY_STAT && want == TY_UNKNOWN) {
		report_mismatch(in, n, t, TY_LONG, &no_why);
	} else if (t == TY_UNKNOWN && n->kind == ND_CALL && n->func) {
		in->ok = error(n->loc, DIAG_UNRESOLVED_TYPE, "'%s' returns nothing, but its value is used",
			       n->name);
		note(n->func->loc, "'%s' is declared here", n->name);
	} else if (n->kind == ND_CALL && n->func && n->func->type == TY_UNKNOWN && !is_condition(why)) {
		warning(n->loc, DIAG_UNRESOLVED_TYPE, "'%s' returns nothing: its value is %s here", n->name,
			t == TY_STRING ? "\"\"" : "0");
	}
	return t;
}

/* Two expressions of one type. Types that the pass before found for the second flow into the first: each is visited once a pass. */
static enum type infer_pair(struct infer *in, struct node *a, struct node *b, enum type want,
			    const char *name)
{
	struct why why = { .kind = WHY_COMPARE, .name = name, .decided = b->loc };
	enum type before = b->type, ta, tb;

	/* An array of char is its string beside a string or another one. */
	if (context_char_array(a) && (context_char_array(b) ||
				      (in->report ? b->type : infer_value(in, b, want, &no_why)) == TY_STRING))
		want = TY_STRING;
	why.other = b;
	ta = infer_value(in, a, a->type == TY_UNKNOWN && before != TY_UNKNOWN && before != TY_STAT ?
			 before : want, &why);
	why.decided = a->loc;
	why.other = a;
	tb = infer_value(in, b, ta != TY_UNKNOWN && ta != TY_STAT ? ta : want, &why);
	if (ta == TY_UNKNOWN && tb != before)
		in->changed = true;
	return ta != TY_UNKNOWN ? ta : tb;
}

/* N, an array of char, where any type would do: its string. */
static void infer_char_array(struct infer *in, struct node *n, enum type want, const struct why *why)
{
	infer_value(in, n, TY_STRING, why);
	if (in->report && want == TY_LONG)
		report_mismatch(in, n, TY_STRING, want, why);
}

/* KEY and those after it as keys of array S. */
static void infer_keys(struct infer *in, struct node *key, struct symbol *s)
{
	for (int i = 0; key && i < 9; i++, key = key->next) {
		struct why why = {
			.kind = WHY_KEY, .name = s->name, .number = i + 1, .decided = s->key_loc[i],
		};

		if (key->kind == ND_STAR)
			continue;
		if (context_char_array(key))
			infer_char_array(in, key, s->key_type[i], &why);
		else
			infer_value(in, key, s->key_type[i], &why);
		learn(in, &s->key_type[i], &s->key_loc[i], key->type, key->loc);
	}
}

/* ---- kinds of nodes ---- */

/* A variable whose type nothing else says gets the type of its use. */
static enum type infer_symbol(struct infer *in, struct node *n, enum type want)
{
	struct symbol *s = n->sym;

	if (!s)
		return want;
	learn(in, &s->type, &s->type_loc, want, n->loc);
	return s->type;
}

/* Arguments and parameters teach each other; overloads that a call may reach share their types. */
static enum type infer_call(struct infer *in, struct node *n, enum type want)
{
	enum type type = TY_UNKNOWN;

	for (struct function *f = n->func; f; f = f->overload) {
		struct symbol *param = f->params;
		int i = 1;

		for (struct node *arg = n->list; arg; arg = arg->next, param = param->next, i++) {
			struct why why = { .kind = WHY_ARGUMENT, .name = f->name, .number = i,
					   .decided = param->type_loc };

			learn(in, &param->type, &param->type_loc,
			      infer_value(in, arg, param->type, &why), arg->loc);
		}
		/* Overloads stand for one function: one type. */
		if (type == TY_UNKNOWN)
			type = f->type;
	}
	/* C does not say what it returns: its callers do. */
	if (type == TY_UNKNOWN && want != TY_UNKNOWN && n->func && embedded_returns(in->program, n->func))
		type = want;
	for (struct function *f = n->func; f; f = f->overload)
		learn(in, &f->type, &f->type_loc, type, n->loc);
	/* A function without a result is 0 where a number is needed, and "" where a string is. Known when nothing more is learned: see
	 * infer_program(). */
	if (type == TY_UNKNOWN && (want == TY_LONG || want == TY_STRING) && in->zero)
		return want;
	return type;
}

/* Formats say what they take; print and its kin take anything. */
static enum type infer_print(struct infer *in, struct node *n)
{
	const char *s = n->text;
	struct node *arg = n->list;
	bool buckets = n->op == OP_PRINT || n->op == OP_PRINTLN || n->op == OP_SPRINT ||
		       n->op == OP_SPRINTLN;
	struct why why = { .kind = WHY_FORMAT };
	struct directive d;

	if (n->op != OP_PRINTF && n->op != OP_SPRINTF) {
		for (; arg; arg = arg->next) {
			why.kind = WHY_USE;
			if (arg->kind == ND_HIST && buckets)
				infer(in, arg, TY_STAT, &no_why);
			else if (n->op != OP_PRINT_CHAR && context_char_array(arg))
				infer_char_array(in, arg, TY_UNKNOWN, &why);
			else
				infer_value(in, arg, n->op == OP_PRINT_CHAR ? TY_LONG : TY_UNKNOWN, &why);
		}
		return op_info[n->op].result == 'S' ? TY_STRING : TY_LONG;
	}
	while (format_next(&s, &d)) {
		if (d.none)
			continue;
		for (int star = d.star_width + d.star_precision; star > 0 && arg; star--) {
			why.number++;
			infer_value(in, arg, TY_LONG, &why);
			arg = arg->next;
		}
		if (!arg)
			break;
		why.number++;
		infer_value(in, arg, d.string ? TY_STRING : TY_LONG, &why);
		arg = arg->next;
	}
	for (; arg; arg = arg->next)
		infer_value(in, arg, TY_UNKNOWN, &no_why);
	return n->op == OP_SPRINTF ? TY_STRING : TY_LONG;
}

static enum type infer_assign(struct infer *in, struct node *n, enum type want)
{
	struct node *left = n->kid[0], *right = n->kid[1];
	const struct node *name = left->kind == ND_INDEX ? left->kid[0] : left;
	const struct symbol *s = name->kind == ND_NAME ? name->sym : NULL;
	struct why why = { .kind = WHY_ASSIGN, .name = s ? s->name : "the target" };
	struct why op = { .kind = WHY_OPERATOR, .name = op_info[n->op].lexeme };
	enum type t;

	if (n->op == OP_STAT_ADD) {
		infer(in, left, TY_STAT, &op);
		infer_value(in, right, TY_LONG, &op);
		return TY_LONG;
	}
	if (n->op != OP_ASSIGN) {
		t = op_info[n->op].operands == 'S' ? TY_STRING : TY_LONG;
		infer(in, left, t, &op);
		infer_value(in, right, t, &op);
		return t;
	}
	t = infer(in, left, TY_UNKNOWN, &no_why);
	if (t == TY_STAT) {
		if (in->report)
			report_mismatch(in, left, t, TY_LONG, &no_why);
		infer(in, right, TY_UNKNOWN, &no_why);
		return TY_UNKNOWN;
	}
	if (s)
		why.decided = s->type_loc;
	if (t == TY_UNKNOWN) {
		/* The type of the value comes before the type of the use. */
		t = infer_value(in, right, in->pass > 1 ? want : TY_UNKNOWN, &why);
		if (t == TY_UNKNOWN && want != TY_UNKNOWN && in->pass == 1)
			in->changed = true;
		if (s && (t == TY_LONG || t == TY_STRING))
			infer_symbol(in, (struct node *)name, t);
		return t;
	}
	infer_value(in, right, t, &why);
	return t;
}

/* Key variables and the array's keys teach each other, as do the value variable and its values. */
static void infer_foreach(struct infer *in, struct node *n)
{
	struct foreach *f = n->foreach;
	struct symbol *s = n->kid[0]->kind == ND_NAME ? n->kid[0]->sym : NULL;
	struct why limit = { .kind = WHY_USE };

	if (s && f->sort_op != OP_NONE)
		s->stat_ops |= 1u << (f->sort_op - OP_COUNT);
	if (s) {
		infer_keys(in, f->keys, s);
		infer_keys(in, f->slice, s);
	} else {
		infer(in, n->kid[0], TY_STAT, &no_why);
		for (struct node *k = f->keys; k; k = k->next)
			infer_value(in, k, TY_LONG, &limit);
		if (f->value)
			infer_value(in, f->value, TY_LONG, &limit);
	}
	if (f->sort_op != OP_NONE && s && s->type != TY_UNKNOWN && s->type != TY_STAT && in->report) {
		in->ok = error(f->sort_loc, DIAG_STAT, "elements of '%s' are %ss, but %s needs aggregates", s->name,
			       type_name(s->type), op_info[f->sort_op].lexeme);
		note(f->sort_loc, "to sort by the value itself write '%s-'", s->name);
	}
	if (f->value && s && s->type == TY_STAT && in->report) {
		in->ok = error(f->value->loc, DIAG_STAT, "'%s' holds aggregates, which no variable can hold",
			       s->name);
		note(f->value->loc, "use @count(%s[...]) and the like inside the loop", s->name);
	} else if (f->value && s && s->type != TY_STAT) {
		struct why why = { .kind = WHY_ASSIGN, .name = f->value->name, .decided = s->type_loc };
		enum type t = infer(in, f->value, s->type, &why);

		learn(in, &s->type, &s->type_loc, t, f->value->loc);
	}
	if (n->kid[1])
		infer_value(in, n->kid[1], TY_LONG, &limit);
	infer(in, n->kid[2], TY_UNKNOWN, &no_why);
}

/* Both operands of 1.5 and of "a" + "b" are wrong for one reason, which is reported once. */
static bool are_alike(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && (a->kind == ND_NUM || a->kind == ND_STR);
}

static enum type infer_binary(struct infer *in, struct node *n)
{
	const struct op_info *op = &op_info[n->op];
	struct why why = { .kind = WHY_OPERATOR, .name = op->lexeme };
	enum type t = op->operands == 'S' ? TY_STRING : TY_LONG;
	bool report = in->report;

	if (op->operands == 'T') {
		infer_pair(in, n->kid[0], n->kid[1], TY_UNKNOWN, op->lexeme);
	} else {
		infer_value(in, n->kid[0], t, &why);
		if (are_alike(n->kid[0], n->kid[1]))
			in->report = false;
		infer_value(in, n->kid[1], t, &why);
		in->report = report;
	}
	return op->result == 'S' ? TY_STRING : TY_LONG;
}

/* @count(s) and @hist_log(s): what the aggregate must keep. */
static void infer_stat(struct infer *in, struct node *n)
{
	struct why why = { .kind = WHY_USE, .name = op_info[n->op].lexeme };
	struct node *base = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];

	infer(in, n->kid[0], TY_STAT, &why);
	if (base->kind == ND_NAME && base->sym)
		base->sym->stat_ops |= 1u << (n->op - OP_COUNT);
}

/* All values that a function returns have one type. */
static void infer_return(struct infer *in, struct node *n)
{
	struct function *f = in->function;
	struct why why = { .kind = WHY_RETURN };

	if (!n->kid[0])
		return;
	if (!f) {
		infer_value(in, n->kid[0], TY_UNKNOWN, &why);
		return;
	}
	why.name = f->name;
	why.decided = f->type_loc;
	learn(in, &f->type, &f->type_loc, infer_value(in, n->kid[0], f->type, &why), n->kid[0]->loc);
}

static void infer_plain_kid(struct node **np, void *data)
{
	infer(data, *np, TY_UNKNOWN, &no_why);
}

static void infer_long_kid(struct node **np, void *data)
{
	infer_value(data, *np, TY_LONG, &(struct why){ .kind = WHY_USE });
}

static void infer_condition(struct infer *in, struct node *n)
{
	if (n)
		infer_value(in, n, TY_LONG, &(struct why){ .kind = WHY_CONDITION });
}

static void infer_statement(struct infer *in, struct node *n)
{
	switch (n->kind) {
	case ND_IF:
	case ND_WHILE:
		infer_condition(in, n->kid[0]);
		infer(in, n->kid[1], TY_UNKNOWN, &no_why);
		if (n->kid[2])
			infer(in, n->kid[2], TY_UNKNOWN, &no_why);
		return;
	case ND_FOR:
		for (int i = 0; i < 4; i++) {
			if (i == 1)
				infer_condition(in, n->kid[1]);
			else if (n->kid[i])
				infer(in, n->kid[i], TY_UNKNOWN, &no_why);
		}
		return;
	case ND_FOREACH:
		infer_foreach(in, n);
		return;
	case ND_TRY:
		infer(in, n->kid[0], TY_UNKNOWN, &no_why);
		if (n->kid[2])
			infer(in, n->kid[2], TY_STRING,
			      &(struct why){ .kind = WHY_ASSIGN, .name = n->kid[2]->name });
		infer(in, n->kid[1], TY_UNKNOWN, &no_why);
		return;
	case ND_RETURN:
		infer_return(in, n);
		return;
	default:
		node_kids(n, infer_plain_kid, in);
	}
}

static enum type infer_expression(struct infer *in, struct node *n, enum type want)
{
	struct why op = { .kind = WHY_OPERATOR, .name = op_info[n->op].lexeme };

	switch (n->kind) {
	case ND_STR:
		return TY_STRING;
	case ND_ENUMNAME:
		infer_long_kid(&n->kid[0], in);
		return TY_STRING;
	case ND_NAME:
		return infer_symbol(in, n, want);
	case ND_INDEX:
		if (n->kid[0]->kind != ND_NAME) {
			infer(in, n->kid[0], TY_STAT, &no_why);
			for (struct node *k = n->list; k; k = k->next)
				infer_long_kid(&k, in);
			return TY_LONG;
		}
		if (n->kid[0]->sym)
			infer_keys(in, n->list, n->kid[0]->sym);
		return infer_symbol(in, n->kid[0], want);
	case ND_IN:
		if (n->kid[0]->kind == ND_HIST) {
			infer(in, n->kid[0], TY_STAT, &no_why);
			for (struct node *k = n->list; k; k = k->next)
				infer_long_kid(&k, in);
		} else if (n->kid[0]->sym)
			infer_keys(in, n->list, n->kid[0]->sym);
		return TY_LONG;
	case ND_CALL:
		return infer_call(in, n, want);
	case ND_UNARY:
	case ND_INCDEC:
		infer_value(in, n->kid[0], TY_LONG, &op);
		return TY_LONG;
	case ND_BINARY:
		return infer_binary(in, n);
	case ND_ASSIGN:
		return infer_assign(in, n, want);
	case ND_COND:
		infer_condition(in, n->kid[0]);
		return infer_pair(in, n->kid[1], n->kid[2], want, "?:");
	case ND_STAT:
		infer_stat(in, n);
		return TY_LONG;
	case ND_HIST:
		infer_stat(in, n);
		return TY_STAT;
	case ND_PRINT:
		return infer_print(in, n);
	case ND_ENTRY:
		return infer_value(in, n->kid[0], want, &no_why);
	case ND_EMBED_EXPR:
		return strstr(n->text, "/* string */") ? TY_STRING : TY_LONG;
	default:
		/* Numbers and values of the probed program. */
		node_kids(n, infer_long_kid, in);
		return n->pretty ? TY_STRING : TY_LONG;
	}
}

static enum type infer(struct infer *in, struct node *n, enum type want, const struct why *why)
{
	enum type have;

	if (node_is_statement(n)) {
		infer_statement(in, n);
		return TY_UNKNOWN;
	}
	have = infer_expression(in, n, want);
	if (want == TY_STRING && context_char_array(n))
		have = TY_STRING;
	return settle(in, n, have, want, why);
}

/* ---- the pass ---- */

static void infer_globals(struct infer *in)
{
	for (struct symbol *g = in->program->globals; g; g = g->next)
		if (g->init)
			learn(in, &g->type, &g->type_loc,
			      infer_expression(in, g->init, TY_UNKNOWN), g->init->loc);
}

static void infer_function(struct infer *in, struct function *f)
{
	in->function = f;
	if (f->body)
		infer(in, f->body, TY_UNKNOWN, &no_why);
	in->function = NULL;
}

/* Types of results flow from callees to callers and those of parameters the other way: so the order alternates. Messages
 * come in the order of the script. */
static void infer_functions(struct infer *in)
{
	struct function **order = in->program->call_order;
	size_t n = 0;

	if (in->report) {
		for (struct function *f = in->program->functions; f; f = f->next)
			if (f->resolved)
				infer_function(in, f);
		return;
	}
	while (order[n])
		n++;
	for (size_t i = 0; i < n; i++)
		infer_function(in, order[in->pass % 2 ? i : n - 1 - i]);
}

static void infer_bodies(struct infer *in)
{
	struct probe *previous = NULL;

	infer_functions(in);
	for (struct probe *pr = in->program->probes; pr; previous = pr, pr = pr->next) {
		status_tick();
		infer_condition(in, pr->condition);
		if (!previous || previous->body != pr->body)
			infer(in, pr->body, TY_UNKNOWN, &no_why);
	}
}

static void settle_all(struct infer *in)
{
	do {
		in->changed = false;
		in->pass++;
		infer_globals(in);
		infer_bodies(in);
	} while (in->changed);
}

/* After the last pass: the script holds no hint at all. PR: of whose locals S is one, or NULL. */
static void report_unresolved(struct infer *in, struct symbol *s, const char *what, const struct probe *pr)
{
	/* A local of code that was elided. */
	if (s->type == TY_UNKNOWN && !s->global && !s->param && !s->read && !s->written)
		s->type = TY_LONG;
	if (s->type != TY_UNKNOWN)
		return;
	in->ok = error(s->loc, DIAG_UNRESOLVED_TYPE, "nothing tells whether %s '%s' is a long or a string",
		       what, s->name);
	if (!pr || s->written || (!word_note_variable(pr, s) && !word_note_variables(pr, s)))
		note(s->loc, "assign a value to it, or use it where only one type fits");
}

static void report_symbols(struct infer *in)
{
	struct program *p = in->program;
	struct probe *previous = NULL;

	for (struct symbol *g = p->globals; g; g = g->next) {
		/* An array that is never indexed or a global that is never used is removed later. */
		if (g->type == TY_UNKNOWN && ((!g->read && !g->written) || g->array || !g->arity_loc.line))
			g->type = TY_LONG;
		report_unresolved(in, g, "global", NULL);
		for (int i = 0; i < g->arity && i < 9; i++)
			if (g->key_type[i] == TY_UNKNOWN)
				g->key_type[i] = TY_LONG;
	}
	for (struct function *f = p->functions; f; f = f->next) {
		if (!f->resolved)
			continue;
		for (struct symbol *s = f->params; s; s = s->next)
			report_unresolved(in, s, "parameter", NULL);
		for (struct symbol *s = f->locals; s; s = s->next)
			report_unresolved(in, s, "variable", NULL);
	}
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->locals != pr->locals)
			for (struct symbol *s = pr->locals; s; s = s->next)
				report_unresolved(in, s, "variable", pr);
}

bool infer_program(struct program *p)
{
	struct infer in = { .program = p, .ok = true };

	settle_all(&in);
	in.zero = true;
	settle_all(&in);
	in.report = true;
	infer_bodies(&in);
	/* After a mismatch, what remains unknown may only follow from it. */
	if (in.ok)
		report_symbols(&in);
	return in.ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The length of strings: how much space an array reserves for those of an element.
 *
 * Each variable, array and function has a bound of its strings, in bytes: that of the longest text that is assigned, passed or
 * returned. A string of unknown length, such as that of user_string(), may be one byte shorter than MAXSTRINGLEN. A string that
 * a loop appends to is expected to be that long, as stacks are: the bound of those is MAXSTRINGLEN itself. The bounds decide about
 * memory only; an array whose strings are longer all the same refuses an element.
 */
#include "translator/sema/texts.h"

#include <limits.h>

#include "runtime/core/format.h"
#include "runtime/core/text.h"
#include "translator/probe/probe.h"
#include "translator/sema/pass.h"

enum {
	ROUNDS = 8,         /* after which a bound that still grows is unknown: `a[k] .= "x"`, recursion */
	FULL_ELEMENTS = 2048, /* elements that have space for strings of full length in any array */
	NUMBER_TEXT = 28,   /* 64 bits in octal, a sign, a prefix */
};

struct texts {
	struct function *function; /* whose body is looked at; NULL: a probe's */
	int unknown;               /* bound of a string of which nothing is known */
	int round;
	int loops;                 /* around the statement */
	bool changed;
};

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* The bound of two strings in a row. */
static int joined(const struct texts *x, int a, int b)
{
	if (a > x->unknown || b > x->unknown)
		return x->unknown + 1;
	return a + b < x->unknown ? a + b : x->unknown;
}

static void learn(struct texts *x, int *bound, int now)
{
	if (now <= *bound)
		return;
	*bound = now > x->unknown || x->round < ROUNDS ? now : x->unknown;
	x->changed = true;
}

static struct symbol *symbol_of(const struct node *n)
{
	const struct node *name = n->kind == ND_INDEX ? n->kid[0] : n;

	return name->kind == ND_NAME ? name->sym : NULL;
}

bool text_add_directive(const struct kt_directive *d, size_t string, size_t *len)
{
	size_t most = NUMBER_TEXT;

	if (!d->conv || d->width == KT_FROM_ARG || d->precision == KT_FROM_ARG || kt_conv_type(d->conv) == 'M')
		return false;
	if (kt_conv_type(d->conv) == 'S') {
		if (d->flags & KT_FLAG_ALT)
			return false;
		most = string;
	}
	*len += most + (size_t)(d->width > 0 ? d->width : 0) + (size_t)(d->precision > 0 ? d->precision : 0);
	return true;
}

static int bound_of(const struct texts *x, const struct node *n);

static int bound_of_format(const struct texts *x, const struct node *n)
{
	const char *s = n->text, *end = s + n->text_len;
	const struct node *arg = n->list;
	size_t len = 0;
	int bound = 0;

	while (s < end && *s) {
		struct kt_directive d = { .conv = 0 };
		int string = 0;

		if (*s != '%') {
			s++;
			len++;
			continue;
		}
		s = kt_directive(s, &d);
		if (kt_conv_type(d.conv) && !arg)
			return x->unknown;
		if (kt_conv_type(d.conv) == 'S')
			string = bound_of(x, arg);
		if (!text_add_directive(&d, 0, &len))
			return x->unknown;
		bound = joined(x, bound, string);
		if (kt_conv_type(d.conv))
			arg = arg->next;
	}
	return joined(x, bound, len < INT_MAX / 2 ? (int)len : INT_MAX / 2);
}

static int bound_of_print(const struct texts *x, const struct node *n)
{
	int bound = 1; /* a newline */

	if (n->or_error)
		return larger(bound_of(x, n->list), (int)sizeof("ERROR"));
	if (n->op == OP_SPRINTF)
		return bound_of_format(x, n);
	for (const struct node *arg = n->list; arg; arg = arg->next) {
		if (arg->kind == ND_HIST)
			return x->unknown + 1;
		bound = joined(x, bound, arg->type == TY_STRING ? bound_of(x, arg) : NUMBER_TEXT);
		bound = joined(x, bound, n->text ? (int)n->text_len : 0);
	}
	return bound;
}

/* Returns the most bytes that the runtime's function F writes: the number in its declaration, or the value of the argument ARG or later
 * that it names. x->unknown if it names neither, or the argument is no constant. */
static int bound_of_kit(const struct texts *x, const struct function *f, const struct node *arg)
{
	const struct symbol *param = f->params;

	if (f->longest)
		return f->longest < x->unknown ? f->longest : x->unknown;
	for (; f->longest_param && param && arg; param = param->next, arg = arg->next)
		if (param->name == f->longest_param && arg->kind == ND_NUM && arg->num >= 0 && arg->num < x->unknown)
			return (int)arg->num;
	return x->unknown;
}

static int bound_of_call(const struct texts *x, const struct node *n)
{
	int bound = 0;

	for (const struct function *f = n->func; f; f = f->overload)
		bound = larger(bound, f->body ? f->longest : bound_of_kit(x, f, n->list));
	return bound;
}

static int bound_of(const struct texts *x, const struct node *n)
{
	const struct symbol *s = symbol_of(n);

	switch (n->kind) {
	case ND_STR:
		return n->text_len < (size_t)x->unknown ? (int)n->text_len : x->unknown;
	case ND_NAME:
	case ND_INDEX:
		return s ? s->longest : x->unknown;
	case ND_CALL:
		return bound_of_call(x, n);
	case ND_BINARY:
		return n->op == OP_CAT ? joined(x, bound_of(x, n->kid[0]), bound_of(x, n->kid[1])) : x->unknown;
	case ND_COND:
		return larger(bound_of(x, n->kid[1]), bound_of(x, n->kid[2]));
	case ND_ASSIGN:
		return larger(bound_of(x, n->kid[0]), bound_of(x, n->kid[1]));
	case ND_PRINT:
		return bound_of_print(x, n);
	default: /* any other has a separate string */
		break;
	}
	return x->unknown;
}

/* Does `S = E` append to S? */
static bool appends(const struct symbol *s, const struct node *e)
{
	if (e->kind == ND_BINARY && e->op == OP_CAT)
		return appends(s, e->kid[0]) || appends(s, e->kid[1]);
	return e->kind == ND_NAME && e->sym == s;
}

static void visit_assignment(struct texts *x, const struct node *n)
{
	struct symbol *s = symbol_of(n->kid[0]);
	int bound;

	if (!s || s->type != TY_STRING)
		return;
	bound = bound_of(x, n->kid[1]);
	if (n->op == OP_CAT_ASSIGN)
		bound = joined(x, s->longest, bound);
	if (x->loops && (n->op == OP_CAT_ASSIGN || (n->kid[1]->kind == ND_BINARY && appends(s, n->kid[1]))))
		bound = x->unknown + 1;
	learn(x, &s->longest, bound);
}

/* The element LVALUE may be created. */
static void visit_element(struct texts *x, const struct node *lvalue)
{
	struct symbol *array = lvalue->kind == ND_INDEX ? symbol_of(lvalue) : NULL;
	int i = 0;

	for (const struct node *k = lvalue->list; array && k && i < array->arity; k = k->next, i++)
		if (array->key_type[i] == TY_STRING)
			learn(x, &array->longest_key[i], bound_of(x, k));
}

static void visit_foreach(struct texts *x, const struct node *n)
{
	const struct symbol *array = symbol_of(n->kid[0]);
	int i = 0;

	for (const struct node *k = n->foreach->keys; array && k; k = k->next, i++)
		if (k->sym && k->sym->type == TY_STRING)
			learn(x, &k->sym->longest, array->longest_key[i]);
	if (array && n->foreach->value && n->foreach->value->sym)
		learn(x, &n->foreach->value->sym->longest, array->longest);
}

static void visit_call(struct texts *x, const struct node *n)
{
	for (struct function *f = n->func; f; f = f->overload) {
		struct symbol *param = f->params;

		for (const struct node *a = n->list; a && param; a = a->next, param = param->next)
			if (param->type == TY_STRING)
				learn(x, &param->longest, bound_of(x, a));
	}
}

static void visit(struct node **np, void *data)
{
	struct texts *x = data;
	struct node *n = *np;
	bool loop = n->kind == ND_WHILE || n->kind == ND_FOR || n->kind == ND_FOREACH;

	x->loops += loop;
	if (n->kind == ND_ASSIGN)
		visit_assignment(x, n);
	if (n->kind == ND_ASSIGN || n->kind == ND_INCDEC)
		visit_element(x, n->kid[0]);
	else if (n->kind == ND_FOREACH)
		visit_foreach(x, n);
	else if (n->kind == ND_CALL)
		visit_call(x, n);
	else if (n->kind == ND_TRY && n->kid[2] && n->kid[2]->sym)
		learn(x, &n->kid[2]->sym->longest, x->unknown);
	else if (n->kind == ND_RETURN && n->kid[0] && n->kid[0]->type == TY_STRING && x->function)
		learn(x, &x->function->longest, bound_of(x, n->kid[0]));
	node_kids(n, visit, x);
	x->loops -= loop;
}

/* What other than the script's statements may assign: ktaprun to scalars of the script, and embedded C. */
static void learn_outside(struct texts *x, struct symbol *s)
{
	for (; s; s = s->next) {
		if (!s->in_c && (!s->global || s->array))
			continue;
		learn(x, &s->longest, x->unknown);
		for (int i = 0; i < s->arity; i++)
			learn(x, &s->longest_key[i], x->unknown);
	}
}

void texts_find_longest(struct program *p, int string_max)
{
	struct texts x = { .unknown = string_max - 1 };

	learn_outside(&x, p->globals);
	for (struct function *f = p->functions; f; f = f->next)
		learn_outside(&x, f->locals);
	for (struct probe *pr = p->probes; pr; pr = pr->next)
		learn_outside(&x, pr->locals);
	do {
		x.changed = false;
		for (x.function = p->functions; x.function; x.function = x.function->next)
			if (x.function->used && x.function->body)
				visit(&x.function->body, &x);
		for (struct probe *pr = p->probes; pr; pr = pr->next) {
			visit(&pr->body, &x);
			if (pr->condition)
				visit(&pr->condition, &x);
		}
		x.round++;
	} while (x.changed);
}

/* Space for a string of BOUND bytes at most, in one of SIZE elements. */
static long long space_for(int string_max, int bound, long long size)
{
	long long most = larger(string_max / 4, (int)(FULL_ELEMENTS * (long long)string_max / size));

	return size <= FULL_ELEMENTS || bound >= string_max || bound < most ? bound : most;
}

int text_share(const struct symbol *s, int string_max, long long size)
{
	long long blocks = 0;
	int strings = 0;

	for (int i = 0; i <= s->arity; i++) {
		bool value = i == s->arity;

		if ((value ? s->type : s->key_type[i]) != TY_STRING)
			continue;
		blocks += kt_text_blocks((kt_u32)larger(1, (int)space_for(string_max, value ? s->longest : s->longest_key[i], size)));
		strings++;
	}
	return strings ? (int)((blocks * KT_BLOCK_TEXT + strings - 1) / strings) : 0;
}

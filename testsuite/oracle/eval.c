/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions and statements, walked in the order in which the language runs them: operands, keys and arguments left
 * to right; of an assignment first the keys, then the right side, then the old value.
 *
 * An error is a longjmp() to the innermost try; break, next and return are what statements give back.
 */
#include "testsuite/oracle/oracle.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum flow { GO_ON, BREAK, CONTINUE, NEXT, RETURN };

/* One call, or the handler. */
struct frame {
	struct binding *locals;
	struct value result;
	int depth; /* calls below the handler */
};

/* As testsuite/oracle/run tells ktap. */
enum { NESTING_MAX = 100 };

struct text printed;
long long steps_left = 50000000;
bool exiting;

static struct binding *globals;
static struct frame *frame;
static jmp_buf *catcher;
static const char *message;

static struct value eval(const struct node *n);
static enum flow run(const struct node *n);

static void fail(const char *msg)
{
	message = msg;
	longjmp(*catcher, 1);
}

static void step(void)
{
	if (steps_left-- > 0)
		return;
	fputs("oracle: the program takes too long\n", stderr);
	exit(3);
}

/* ---- variables ---- */

static struct binding *variables(struct symbol *syms, struct binding *rest)
{
	for (struct symbol *s = syms; s; s = s->next) {
		struct binding *v = arena_new(&program_arena, struct binding);

		v->sym = s;
		v->cell.value = of_number(0);
		if (s->init && s->init->kind == ND_STR)
			v->cell.value = of_string(s->init->text, s->init->text_len);
		else if (s->init)
			v->cell.value = eval(s->init);
		v->next = rest;
		rest = v;
	}
	return rest;
}

void globals_init(struct symbol *syms)
{
	globals = variables(syms, NULL);
}

static struct binding *variable(const struct symbol *s)
{
	struct binding *v = s->global ? globals : frame->locals;

	while (v && v->sym != s)
		v = v->next;
	if (!v)
		bug("no variable %s", s->name);
	return v;
}

/* Keys into RET; returns a bit set of those that are `*`. */
static unsigned eval_keys(const struct node *list, struct value *ret)
{
	unsigned stars = 0;
	int i = 0;

	for (const struct node *k = list; k; k = k->next, i++) {
		if (k->kind == ND_STAR)
			stars |= 1u << i;
		else
			ret[i] = eval(k);
	}
	return stars;
}

static bool matches(const struct symbol *s, const struct cell *e, const struct value *keys, unsigned stars)
{
	for (int i = 0; i < s->arity; i++)
		if (!(stars >> i & 1) && compare_values(s->key_type[i], e->key[i], keys[i]))
			return false;
	return true;
}

/* ---- assignments ---- */

static struct value new_value(const struct node *n, struct value old, struct value right)
{
	long long number;

	if (n->op == OP_ASSIGN)
		return right;
	if (n->op == OP_CAT_ASSIGN)
		return concat(old.string, right.string);
	if (!binary(n->op, old.number, right.number, &number))
		fail("division by 0");
	return of_number(number);
}

static struct value assign(const struct node *n)
{
	const struct node *to = n->kid[0];
	bool indexed = to->kind == ND_INDEX;
	struct binding *v = variable(indexed ? to->kid[0]->sym : to->sym);
	struct value keys[KEYS_MAX] = { 0 }, right, value;
	struct cell *c = &v->cell;

	if (indexed)
		eval_keys(to->list, keys);
	right = eval(n->kid[1]);
	if (n->op == OP_STAT_ADD) {
		stat_add(indexed ? &element_make(v, keys)->stat : &c->stat, right.number);
		return of_number(0);
	}
	if (indexed)
		c = element_find(v, keys);
	/* What fails leaves no element behind. */
	value = new_value(n, c ? c->value : of_number(0), right);
	if (!c)
		c = element_make(v, keys);
	return c->value = value;
}

static struct value incdec(const struct node *n)
{
	const struct node *to = n->kid[0];
	bool indexed = to->kind == ND_INDEX, up = n->op == OP_PREINC || n->op == OP_POSTINC;
	struct binding *v = variable(indexed ? to->kid[0]->sym : to->sym);
	struct value keys[KEYS_MAX] = { 0 }, old;
	struct cell *c = &v->cell;

	if (indexed) {
		eval_keys(to->list, keys);
		c = element_make(v, keys);
	}
	old = c->value;
	c->value.number = (long long)((unsigned long long)old.number + (up ? 1ull : -1ull));
	return n->op == OP_PREINC || n->op == OP_PREDEC ? c->value : old;
}

/* ---- functions ---- */

static struct value strtol_of(const char *s, long long base)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	bool negative = *s == '-';
	unsigned long long n = 0;

	s += negative;
	if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && isxdigit((unsigned char)s[2])) {
		base = 16;
		s += 2;
	}
	if (base == 0)
		base = *s == '0' ? 8 : 10;
	for (const char *d; *s && (d = strchr(digits, *s | 32)) != NULL && d - digits < base; s++)
		n = n * (unsigned long long)base + (unsigned long long)(d - digits);
	return of_number((long long)(negative ? -n : n));
}

static struct value substr(const char *s, long long start, long long length)
{
	long long len = (long long)strlen(s);

	if (start < 0 || start >= len || length <= 0)
		return of_string("", 0);
	return of_string(s + start, (size_t)(length < len ? length : len));
}

static struct value library(const struct function *f, const struct value *a)
{
	if (!strcmp(f->name, "strlen"))
		return of_number((long long)strlen(a[0].string));
	if (!strcmp(f->name, "isinstr"))
		return of_number(strstr(a[0].string, a[1].string) != NULL);
	if (!strcmp(f->name, "strtol"))
		return strtol_of(a[0].string, a[1].number);
	if (!strcmp(f->name, "substr"))
		return substr(a[0].string, a[1].number, a[2].number);
	if (!strcmp(f->name, "error"))
		fail(a[0].string);
	if (!strcmp(f->name, "exit")) {
		exiting = true;
		return of_number(0);
	}
	bug("library function %s", f->name);
}

/* F and, when it declines, those after it. */
static struct value call(const struct node *n)
{
	struct value args[KEYS_MAX * 4] = { 0 };

	step();
	eval_keys(n->list, args);
	for (const struct function *f = n->func; f; f = f->overload) {
		struct frame *caller = frame, callee = { .result = of_number(0), .depth = caller->depth + 1 };
		struct value *arg = args;
		enum flow flow;

		if (f->kit)
			return library(f, args);
		if (callee.depth > NESTING_MAX)
			fail("MAXNESTING exceeded; raise -DMAXNESTING");
		callee.locals = variables(f->locals, variables(f->params, NULL));
		frame = &callee;
		for (struct symbol *s = f->params; s; s = s->next)
			variable(s)->cell.value = *arg++;
		flow = run(f->body);
		frame = caller;
		if (flow != NEXT)
			return callee.result;
	}
	fail("all functions exhausted");
	return of_number(0);
}

/* ---- other expressions ---- */

static bool is_text(enum op op)
{
	return op == OP_SPRINT || op == OP_SPRINTLN || op == OP_SPRINTD || op == OP_SPRINTDLN || op == OP_SPRINTF;
}

static struct value print(const struct node *n)
{
	struct text out = { 0 };
	struct value args[33], ret = of_number(0);
	bool line = n->op == OP_PRINTLN || n->op == OP_PRINTDLN || n->op == OP_SPRINTLN || n->op == OP_SPRINTDLN;
	bool delimited = n->op == OP_PRINTD || n->op == OP_PRINTDLN || n->op == OP_SPRINTD || n->op == OP_SPRINTDLN;
	int i = 0;

	eval_keys(n->list, args);
	if (n->op == OP_PRINTF || n->op == OP_SPRINTF) {
		format(&out, n->text, args);
	} else {
		for (const struct node *a = n->list; a; a = a->next, i++) {
			const char *fmt = a->type == TY_STRING ? "%s" : n->op == OP_PRINT_CHAR ? "%c" : "%d";

			if (i && delimited)
				text_puts(&out, n->text);
			format(&out, fmt, &args[i]);
		}
	}
	if (line)
		text_puts(&out, "\n");
	if (is_text(n->op))
		ret = of_string(text_str(&out), out.len);
	else
		text_append(&printed, text_str(&out), out.len);
	text_deinit(&out);
	return ret;
}

static struct value eval_binary(const struct node *n)
{
	struct value a = eval(n->kid[0]), b;
	long long number;
	int order;

	if (n->op == OP_LAND)
		return of_number(a.number && eval(n->kid[1]).number);
	if (n->op == OP_LOR)
		return of_number(a.number || eval(n->kid[1]).number);
	b = eval(n->kid[1]);
	if (n->op == OP_CAT)
		return concat(a.string, b.string);
	order = compare_values(n->kid[0]->type, a, b);
	switch ((int)n->op) {
	case OP_LT: return of_number(order < 0);
	case OP_GT: return of_number(order > 0);
	case OP_EQ: return of_number(order == 0);
	case OP_NE: return of_number(order != 0);
	case OP_LE: return of_number(order <= 0);
	case OP_GE: return of_number(order >= 0);
	}
	if (!binary(n->op, a.number, b.number, &number))
		fail("division by 0");
	return of_number(number);
}

static struct value eval_unary(const struct node *n)
{
	long long a = eval(n->kid[0]).number;

	switch ((int)n->op) {
	case OP_NEG: return of_number((long long)(0ull - (unsigned long long)a));
	case OP_NOT: return of_number(!a);
	case OP_COMPL: return of_number(~a);
	}
	return of_number(a);
}

static struct value eval_in(const struct node *n)
{
	struct binding *v = variable(n->kid[0]->sym);
	struct value keys[KEYS_MAX] = { 0 };
	unsigned stars = eval_keys(n->list, keys);

	for (struct cell *e = v->elements; e; e = e->next)
		if (matches(v->sym, e, keys, stars))
			return of_number(1);
	return of_number(0);
}

static struct value eval_stat(const struct node *n)
{
	static const struct cell empty;
	const struct node *of = n->kid[0];
	struct value keys[KEYS_MAX] = { 0 };
	const struct cell *c;
	long long number;

	if (of->kind == ND_INDEX) {
		eval_keys(of->list, keys);
		c = element_find(variable(of->kid[0]->sym), keys);
	} else {
		c = &variable(of->sym)->cell;
	}
	if (!stat_get(&(c ? c : &empty)->stat, n->op, &number))
		fail("empty aggregate");
	return of_number(number);
}

static struct value eval_index(const struct node *n)
{
	struct value keys[KEYS_MAX] = { 0 };
	struct cell *e;

	eval_keys(n->list, keys);
	e = element_find(variable(n->kid[0]->sym), keys);
	return e ? e->value : of_number(0);
}

static struct value eval(const struct node *n)
{
	switch ((int)n->kind) {
	case ND_NUM: return of_number(n->num);
	case ND_STR: return of_string(n->text, n->text_len);
	case ND_NAME: return variable(n->sym)->cell.value;
	case ND_INDEX: return eval_index(n);
	case ND_CALL: return call(n);
	case ND_UNARY: return eval_unary(n);
	case ND_INCDEC: return incdec(n);
	case ND_BINARY: return eval_binary(n);
	case ND_ASSIGN: return assign(n);
	case ND_COND: return eval(n->kid[eval(n->kid[0]).number ? 1 : 2]);
	case ND_IN: return eval_in(n);
	case ND_STAT: return eval_stat(n);
	case ND_PRINT: return print(n);
	}
	bug("expression %s", node_kind_name(n->kind));
}

/* ---- foreach ---- */

struct order {
	const struct symbol *sym;
	const struct foreach *f;
};

/* By the sort key; equal ones stay in the order of creation, since only what is greater moves behind. */
static bool comes_after(const struct order *o, const struct cell *a, const struct cell *b)
{
	int by = o->f->sort_by, order;
	long long x, y;

	if (by > 0) {
		order = compare_values(o->sym->key_type[by - 1], a->key[by - 1], b->key[by - 1]);
	} else if (o->sym->type == TY_STAT) {
		/* No element of an array is an empty aggregate. */
		stat_get(&a->stat, o->f->sort_op ? o->f->sort_op : OP_COUNT, &x);
		stat_get(&b->stat, o->f->sort_op ? o->f->sort_op : OP_COUNT, &y);
		order = x < y ? -1 : x > y;
	} else {
		order = compare_values(o->sym->type, a->value, b->value);
	}
	return o->f->dir == SORT_DOWN ? order < 0 : order > 0;
}

static size_t select_elements(const struct node *n, struct binding *v, struct cell ***ret)
{
	const struct order o = { v->sym, n->foreach };
	struct value keys[KEYS_MAX] = { 0 };
	unsigned stars = n->foreach->slice ? eval_keys(n->foreach->slice, keys) : ~0u;
	struct cell **list;
	size_t all = 1, count = 0;

	for (struct cell *e = v->elements; e; e = e->next)
		all++;
	*ret = list = arena_array(&program_arena, struct cell *, all);
	for (struct cell *e = v->elements; e; e = e->next) {
		size_t at = count;

		if (!matches(v->sym, e, keys, stars))
			continue;
		for (; o.f->dir != SORT_NONE && at > 0 && comes_after(&o, list[at - 1], e); at--)
			list[at] = list[at - 1];
		list[at] = e;
		count++;
	}
	return count;
}

static enum flow run_foreach(const struct node *n)
{
	struct binding *v = variable(n->kid[0]->sym);
	struct cell **list;
	long long limit = n->kid[1] ? eval(n->kid[1]).number : LLONG_MAX; /* it may add elements */
	size_t count = select_elements(n, v, &list);

	for (size_t i = 0; i < count && (long long)i < limit; i++) {
		enum flow flow;
		int k = 0;

		step();
		for (const struct node *key = n->foreach->keys; key; key = key->next)
			variable(key->sym)->cell.value = list[i]->key[k++];
		if (n->foreach->value)
			variable(n->foreach->value->sym)->cell.value = list[i]->value;
		flow = run(n->kid[2]);
		if (flow == BREAK)
			break;
		if (flow == NEXT || flow == RETURN)
			return flow;
	}
	return GO_ON;
}

/* ---- statements ---- */

static enum flow run_loop(const struct node *cond, const struct node *again, const struct node *body)
{
	for (; !cond || eval(cond).number; again ? (void)eval(again) : (void)0) {
		enum flow flow = run(body);

		step();
		if (flow == BREAK)
			break;
		if (flow == NEXT || flow == RETURN)
			return flow;
	}
	return GO_ON;
}

static enum flow run_try(const struct node *n)
{
	jmp_buf here, *outer = catcher;
	struct frame *mine = frame;
	volatile enum flow flow = GO_ON;

	if (!setjmp(here)) {
		catcher = &here;
		flow = run(n->kid[0]);
		catcher = outer;
		return flow;
	}
	catcher = outer;
	frame = mine;
	if (n->kid[2])
		variable(n->kid[2]->sym)->cell.value = of_string(message, strlen(message));
	return run(n->kid[1]);
}

static void delete(const struct node *of)
{
	struct binding *v = variable(of->kind == ND_INDEX ? of->kid[0]->sym : of->sym);
	struct value keys[KEYS_MAX] = { 0 };
	unsigned stars;

	if (of->kind != ND_INDEX) {
		v->cell = (struct cell){ .value = of_number(0) };
		v->elements = NULL;
		return;
	}
	stars = eval_keys(of->list, keys);
	for (struct cell *e = v->elements; e; e = e->next)
		if (matches(v->sym, e, keys, stars))
			element_delete(v, e);
}

static enum flow run(const struct node *n)
{
	step();
	switch ((int)n->kind) {
	case ND_NULL_STMT:
		return GO_ON;
	case ND_BLOCK:
		for (const struct node *s = n->list; s; s = s->next) {
			enum flow flow = run(s);

			if (flow != GO_ON)
				return flow;
		}
		return GO_ON;
	case ND_IF:
		if (eval(n->kid[0]).number)
			return run(n->kid[1]);
		return n->kid[2] ? run(n->kid[2]) : GO_ON;
	case ND_WHILE:
		return run_loop(n->kid[0], NULL, n->kid[1]);
	case ND_FOR:
		if (n->kid[0])
			eval(n->kid[0]);
		return run_loop(n->kid[1], n->kid[2], n->kid[3]);
	case ND_FOREACH:
		return run_foreach(n);
	case ND_TRY:
		return run_try(n);
	case ND_BREAK:
		return BREAK;
	case ND_CONTINUE:
		return CONTINUE;
	case ND_NEXT:
		return NEXT;
	case ND_RETURN:
		if (n->kid[0])
			frame->result = eval(n->kid[0]);
		return RETURN;
	case ND_DELETE:
		delete(n->kid[0]);
		return GO_ON;
	case ND_EXPR:
		eval(n->kid[0]);
		return GO_ON;
	}
	bug("statement %s", node_kind_name(n->kind));
}

bool run_handler(struct node *body, struct symbol *locals, const char **ret)
{
	struct frame handler = { 0 };
	jmp_buf here;

	frame = &handler;
	handler.locals = variables(locals, NULL);
	catcher = &here;
	if (setjmp(here)) {
		*ret = message;
		return false;
	}
	run(body);
	return true;
}

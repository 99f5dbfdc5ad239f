/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks other than of types: places of break and return, what can be assigned, loops over arrays that change,
 * statistics, formats, probe conditions; and which functions and globals have effects. Also the warnings that need no
 * change of the tree.
 */
#include <string.h>

#include "translator/probe/access.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"
#include "translator/sema/words.h"
#include "translator/syntax/habits.h"

/* An array that a foreach around the current statement walks through. */
struct iterated {
	const struct symbol *array;
	const struct node *loop;
	struct iterated *outer;
};

struct check {
	struct program *program;
	bool condition;
	int loops;
	struct iterated *iterated;
	bool ok;
};

enum { BUCKETS_MAX = 128 };

static void check(struct node **np, void *data);

/* ---- effects of functions ---- */

struct search {
	const struct symbol *symbol; /* the global whose writing is looked for */
	const struct node *node;     /* or what stands in a function */
	bool found;
};

/* The variable or array that the node itself writes, NULL: none. */
static const struct symbol *written_symbol(const struct node *n)
{
	const struct node *target;

	if (n->kind != ND_ASSIGN && n->kind != ND_INCDEC && n->kind != ND_DELETE)
		return NULL;
	target = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];
	return target->kind == ND_NAME ? target->sym : NULL;
}

static bool find_writer(struct node *n, void *data)
{
	struct search *s = data;

	if (written_symbol(n) == s->symbol)
		s->found = true;
	return !s->found;
}

static bool find_node(struct node *n, void *data)
{
	struct search *s = data;

	s->found |= n == s->node;
	return !s->found;
}

/* Returns whether FIND finds S in the functions that the call reaches. */
static bool call_finds(struct node *call, bool (*find)(struct node *n, void *data), struct search s)
{
	struct function_set called = { 0 };

	function_set_reach(&called, call);
	for (size_t i = 0; i < called.n && !s.found; i++)
		if (called.v[i]->body)
			node_visit(called.v[i]->body, find, &s);
	function_set_deinit(&called);
	return s.found;
}

/* ---- assignments ---- */

/* An array must keep its elements while a foreach holds a place in it. */
static void check_iterated(struct check *c, const struct node *n, const struct symbol *s)
{
	for (const struct iterated *i = c->iterated; i; i = i->outer) {
		if (i->array != s)
			continue;
		c->ok = error(n->loc, DIAG_FOREACH, "'%s' is changed while foreach walks through it", s->name);
		note(i->loop->loc, "by this loop; collect the keys first, or change it after the loop");
		return;
	}
}

/* A target value that is to be written must be in one place. */
static bool check_store(const struct node *n)
{
	if (!n->access || access_store(n->access) != STORE_NOWHERE)
		return true;
	error(n->loc, DIAG_LVALUE, n->access->address ? "an array or a structure cannot be written as a whole" :
	      "this value is computed or in several places here: it cannot be written");
	note(n->loc, "what is in memory or in a register can be written: members, elements, parameters");
	return false;
}

/* HOW completes "can only be ...". */
static void check_lvalue(struct check *c, struct node *n, const char *how)
{
	struct node *base = n->kind == ND_INDEX ? n->kid[0] : n;

	if (n->kind == ND_TARGET || n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_VAR) {
		if (c->program->language.guru) {
			c->ok &= check_store(n);
		} else {
			c->ok = error(n->loc, DIAG_GURU, "writing to the probed program needs -g");
			note(n->loc, "it changes what the program does: run ktap with -g if you vouch for it");
		}
		return;
	}
	if (base->kind != ND_NAME) {
		c->ok = error(n->loc, DIAG_LVALUE, "only a variable or an array element can be %s", how);
		note(n->loc, "'==' compares, '=' assigns");
		return;
	}
	if (c->condition)
		c->ok = error(n->loc, DIAG_CONDITION, "a probe condition cannot change a variable");
	if (base->sym)
		check_iterated(c, n, base->sym);
}

/* ---- aggregates ---- */

/* One shift for a variable: it is applied when values are added, not when they are read. */
static void check_shift(struct check *c, struct node *n, struct symbol *s)
{
	long long shift = n->list ? n->list->num : 0;

	/* Without a shift any other use decides. */
	if (!n->list)
		return;
	if (s->stat_shift && s->stat_shift != shift)
		c->ok = error(n->list->loc, DIAG_STAT, "@variance of '%s' is used with shift %d and with %lld",
			      s->name, s->stat_shift, shift);
	s->stat_shift = (int)shift;
}

/* Buckets are filled while values are added, so all uses must agree on them. */
static bool same_histogram(const struct node *a, const struct node *b)
{
	const struct node *x = a->list, *y = b->list;

	for (; x && y; x = x->next, y = y->next)
		if (x->num != y->num)
			return false;
	return a->op == b->op && !x && !y;
}

static void check_histogram(struct check *c, struct node *n, struct symbol *s)
{
	if (n->op == OP_HIST_LINEAR) {
		const struct node *low = n->list, *high = low->next, *step = high->next;
		unsigned long long width = (unsigned long long)high->num - (unsigned long long)low->num;

		if (width / (unsigned long long)step->num > BUCKETS_MAX)
			c->ok = error(n->loc, DIAG_STAT, "@hist_linear would have %llu buckets, at most %d are possible",
				      width / (unsigned long long)step->num, BUCKETS_MAX);
	}
	if (s->hist && !same_histogram(s->hist, n)) {
		c->ok = error(n->loc, DIAG_STAT, "'%s' has another histogram already", s->name);
		note(s->hist->loc, "here");
	}
	if (!s->hist)
		s->hist = n;
}

static void check_stat(struct check *c, struct node *n)
{
	struct node *base = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];

	if (base->kind != ND_NAME || !base->sym)
		return;
	if (n->op == OP_VARIANCE)
		check_shift(c, n, base->sym);
	if (n->kind == ND_HIST)
		check_histogram(c, n, base->sym);
}

/* ---- printing ---- */

/* Types of the arguments are a matter of infer.c. */
static void check_print(struct check *c, struct node *n)
{
	const char *s = n->text, *name = op_info[n->op].lexeme;
	int given = 0, needed = 0;
	struct directive d;

	for (const struct node *arg = n->list; arg; arg = arg->next)
		given++;
	if (c->condition && op_info[n->op].result != 'S')
		c->ok = error(n->loc, DIAG_CONDITION, "a probe condition cannot print");
	if (n->op != OP_PRINTF && n->op != OP_SPRINTF)
		return;
	while (format_next(&s, &d))
		if (!d.none)
			needed += 1 + d.star_width + d.star_precision;
	if (given == needed)
		return;
	c->ok = error(n->loc, DIAG_FORMAT, "the format takes %d argument%s, but %d %s given", needed,
		      needed == 1 ? "" : "s", given, given == 1 ? "is" : "are");
	if (given < needed)
		note(n->loc, "each directive takes a value after the format: %s(\"%%d\", value); %%%% prints a '%%'", name);
	else
		note(n->loc, "each value takes a directive in the format: %%d for a number, %%s for a string");
}

/* ---- statements ---- */

/* The head is checked outside of the array's protection: a slice or limit is computed before the loop. */
static void check_loop(struct check *c, struct node *n)
{
	struct iterated frame = { .loop = n, .outer = c->iterated };
	struct node *over = n->kid[0];

	c->loops++;
	if (n->kind == ND_FOREACH) {
		struct node *base = over->kind == ND_HIST ? over->kid[0] : over;

		if (base->kind == ND_INDEX)
			base = base->kid[0];
		frame.array = base->sym;
		for (struct node *k = n->foreach->slice; k; k = k->next)
			check(&k, c);
		if (over->kind == ND_HIST)
			check(&n->kid[0], c);
		if (n->kid[1])
			check(&n->kid[1], c);
		c->iterated = &frame;
		check(&n->kid[2], c);
		c->iterated = frame.outer;
	} else {
		node_kids(n, check, c);
	}
	c->loops--;
}

/* Returns whether the call begins the sorted LOOP again that it is in: both would have one list of elements. */
static bool begins_again(struct node *call, const struct node *loop)
{
	return loop->foreach->dir != SORT_NONE && loop->kid[0]->kind != ND_HIST &&
	       call_finds(call, find_node, (struct search){ .node = loop });
}

/* Why it takes -g to write this CALL in a script; NULL: it does not. */
static const char *guru_reason(const struct node *call)
{
	const struct function *f = call->func;

	if (!f || !loc_is_of_user(call->loc))
		return NULL;
	if (f->guru)
		return "it changes what the probed program does";
	if (f->kit && !strncmp(f->name, "__", 2) && !call->own)
		return "it is for the library, which calls it where it can be called: elsewhere it is not safe";
	return NULL;
}

static void check_call(struct check *c, struct node *n)
{
	const char *reason = guru_reason(n);

	if (reason && !c->program->language.guru) {
		c->ok = error(n->loc, DIAG_GURU, "%s() needs -g", n->name);
		note(n->loc, "%s", reason);
		if (habit_word(n->name))
			habit_say(n->loc, habit_word(n->name));
		return;
	}
	for (const struct iterated *i = c->iterated; i; i = i->outer) {
		bool writes = call_finds(n, find_writer, (struct search){ .symbol = i->array });

		if (!writes && !begins_again(n, i->loop))
			continue;
		c->ok = error(n->loc, DIAG_FOREACH, writes ? "'%s' changes '%s' while foreach walks through it" :
			      "'%s' may enter the sorted foreach over '%s' again, before it ends", n->name, i->array->name);
		note(i->loop->loc, writes ? "by this loop" : "this loop; one without a sort may be entered again");
		return;
	}
}

/* VALUE is what a return in that LINE returns, or NULL. The end of a line ends no statement. */
static void check_result(const struct node *value, int line)
{
	if (!value || value->kind != ND_PRINT || value->op >= OP_SPRINT || value->loc.line == line)
		return;
	warning(value->loc, DIAG_UNUSED, "this is the value of the 'return' before it, and runs only there");
	note(value->loc, "write return; to return nothing");
}

static void check(struct node **np, void *data)
{
	struct check *c = data;
	struct node *n = *np;

	switch (n->kind) {
	case ND_BREAK:
	case ND_CONTINUE:
		if (!c->loops) {
			c->ok = error(n->loc, DIAG_CONTROL_FLOW, "'%s' stands outside of a loop",
				      node_kind_name(n->kind));
			note(n->loc, "to leave the handler use next, to leave a function use return");
		}
		return;
	case ND_RETURN:
		check_result(n->kid[0], n->loc.line);
		break;
	case ND_WHILE:
	case ND_FOR:
	case ND_FOREACH:
		check_loop(c, n);
		return;
	case ND_BLOCK:
		break;
	case ND_ASSIGN:
		check_lvalue(c, n->kid[0], "assigned");
		break;
	case ND_INCDEC:
		check_lvalue(c, n->kid[0], "incremented or decremented");
		break;
	case ND_DELETE:
		if (n->kid[0]->kind == ND_INDEX) {
			if (n->kid[0]->kid[0]->sym)
				check_iterated(c, n, n->kid[0]->kid[0]->sym);
			for (struct node *k = n->kid[0]->list; k; k = k->next)
				check(&k, c);
			return;
		}
		check_lvalue(c, n->kid[0], "deleted");
		break;
	case ND_STAT:
	case ND_HIST:
		check_stat(c, n);
		break;
	case ND_PRINT:
		check_print(c, n);
		break;
	case ND_CALL:
		check_call(c, n);
		break;
	case ND_INDEX:
		for (const struct node *k = n->list; k; k = k->next)
			if (k->kind == ND_STAR)
				c->ok = error(k->loc, DIAG_ARITY, "* stands for many elements, one is needed here");
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	node_kids(n, check, c);
}

/* ---- facts for the later passes ---- */

static bool is_global(const struct node *name)
{
	return name && name->sym && name->sym->global;
}

/* Finds a side effect of a function. */
static bool effect(struct node *n, void *data)
{
	bool *found = data;
	const struct symbol *s = written_symbol(n);

	*found |= n->kind == ND_TRY && is_global(n->kid[2]);
	*found |= n->kind == ND_FOREACH && is_global(n->foreach->value);
	for (const struct node *key = n->kind == ND_FOREACH ? n->foreach->keys : NULL; key; key = key->next)
		*found |= is_global(key);
	if ((s && s->global) || n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR || n->kind == ND_WHILE ||
	    n->kind == ND_FOR || (n->kind == ND_PRINT && op_info[n->op].result != 'S') ||
	    ((n->kind == ND_ASSIGN || n->kind == ND_INCDEC) && !s))
		*found = true;
	for (const struct function *f = n->kind == ND_CALL ? n->func : NULL; f; f = f->overload)
		*found |= f->side_effects;
	return !*found;
}

/* side_effects of all functions, callees first; circles of calls need another round. */
void find_effects(struct program *p)
{
	bool changed = true;

	for (struct function *f = p->functions; f; f = f->next)
		f->side_effects = !f->body && !f->pure;
	while (changed) {
		changed = false;
		for (struct function **f = p->call_order; *f; f++) {
			bool effects = false;

			if (!(*f)->body)
				continue;
			node_visit((*f)->body, effect, &effects);
			changed |= effects != (*f)->side_effects;
			(*f)->side_effects = effects;
		}
	}
	for (struct function *f = p->functions; f; f = f->next)
		if (f->body)
			f->pure = f->resolved && !f->side_effects;
}

/* ---- warnings ---- */

/* The usual cause is a misspelt name, so similar names that are assigned are suggested. */
static void warn_never_assigned(const struct symbol *locals, const struct symbol *params, const struct probe *pr)
{
	for (const struct symbol *s = locals; s; s = s->next) {
		struct nearest near = { .word = s->name };

		if (!s->read || s->written || !loc_is_of_user(s->loc))
			continue;
		warning(s->loc, DIAG_NEVER_ASSIGNED, "variable '%s' is read but never assigned", s->name);
		for (const struct symbol *o = locals; o; o = o->next)
			if (o->written)
				nearest_add(&near, o->name);
		for (const struct symbol *o = params; o; o = o->next)
			nearest_add(&near, o->name);
		if (nearest_get(&near))
			note(s->loc, "did you mean '%s'?", nearest_get(&near));
		if (pr)
			word_note_variable(pr, s);
	}
}

/* An overload that never says `next` hides those after it. */
static void warn_overload(const struct function *f)
{
	if (!f->overload || !loc_is_of_user(f->overload->loc) || function_declines(f))
		return;
	warning(f->overload->loc, DIAG_UNREACHABLE, "this overload of '%s' is never reached", f->name);
	note(f->loc, "this one is tried first and never declines with next");
}

bool check_program(struct program *p)
{
	struct check c = { .program = p, .ok = true };
	struct probe *previous = NULL;

	find_effects(p);
	for (struct function *f = p->functions; f; f = f->next) {
		if (!f->resolved)
			continue;
		warn_overload(f);
		if (!f->body)
			continue;
		check(&f->body, &c);
		warn_never_assigned(f->locals, f->params, NULL);
	}
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		if (pr->condition) {
			c.condition = true;
			check(&pr->condition, &c);
			c.condition = false;
		}
		if (previous && previous->body == pr->body)
			continue;
		check(&pr->body, &c);
		warn_never_assigned(pr->locals, NULL, pr);
	}
	return c.ok;
}

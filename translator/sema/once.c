/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that give the same value all through a handler are made once: their value is kept in a local.
 *
 * A function says that with `stable` beside `pure` (pid, execname, ...): it cannot fail and has no argument. The call is
 * moved before the first statement of a block that makes it on every way through, so nothing is called that would not
 * have been; later calls of that block, and of the blocks in it, read the local.
 */
#include "translator/sema/pass.h"

struct once {
	struct symbol **locals; /* of the handler or function */
	const struct symbol *params;
	struct function *function; /* that is looked for */
	struct symbol *local;      /* NULL: calls are only counted */
	int calls;
};

/* A string is copied once more when it is kept. */
enum { WORTH_LONG = 2, WORTH_STRING = 3 };

static struct function *stable_call(const struct node *n)
{
	struct function *f = n->kind == ND_CALL ? n->func : NULL;

	return f && f->pure && f->stable && !f->n_params && !f->overload ? f : NULL;
}

/* ---- what a statement does in any case ---- */
static void find_always(struct node **np, void *data);

static void find_in_list(struct node *n, struct once *o)
{
	for (; n && !o->function; n = n->next) {
		find_always(&n, o);
		/* The code after a condition may not be reached. */
		if (n->kind != ND_EXPR && n->kind != ND_BLOCK && n->kind != ND_NULL_STMT)
			return;
	}
}

/* Notes the first stable call that N cannot go around. */
static void find_always(struct node **np, void *data)
{
	struct once *o = data;
	struct node *n = *np;
	int n_kids = -1; /* all */

	if (o->function)
		return;
	o->function = stable_call(n);
	if (o->function)
		return;
	if (n->kind == ND_BLOCK) {
		find_in_list(n->list, o);
		return;
	}
	if (n->kind == ND_TRY || n->kind == ND_FOREACH || n->kind == ND_DEFINED)
		n_kids = 0;
	else if (n->kind == ND_IF || n->kind == ND_WHILE || n->kind == ND_COND ||
		 (n->kind == ND_BINARY && (n->op == OP_LAND || n->op == OP_LOR)))
		n_kids = 1;
	else if (n->kind == ND_FOR)
		n_kids = 2;
	if (n_kids < 0)
		node_kids(n, find_always, o);
	for (int i = 0; i < n_kids; i++)
		if (n->kid[i])
			find_always(&n->kid[i], o);
}

/* ---- replacing ---- */
static struct node *local_name(const struct once *o, struct loc loc)
{
	struct node *n = node_new(ND_NAME, loc);

	n->name = o->local->name;
	n->sym = o->local;
	n->type = o->local->type;
	return n;
}

/* Counts the calls, or reads the local instead. */
static void replace(struct node **np, void *data)
{
	struct once *o = data;

	if (stable_call(*np) != o->function) {
		node_kids(*np, replace, o);
		return;
	}
	o->calls++;
	if (o->local)
		node_replace(np, local_name(o, (*np)->loc));
}

static bool is_taken(const struct symbol *s, const char *name)
{
	while (s && s->name != name)
		s = s->next;
	return s != NULL;
}

static void new_local(struct once *o, struct loc loc)
{
	struct symbol *s = arena_new(&program_arena, struct symbol);
	const char *name = o->function->name;

	while (is_taken(*o->locals, name) || is_taken(o->params, name))
		name = intern(arena_printf(&program_arena, "%s_", name));
	s->name = name;
	s->loc = loc;
	s->type = o->function->type;
	s->read = s->written = true;
	s->next = *o->locals;
	*o->locals = o->local = s;
}

/* `LOCAL = FUNCTION()` */
static struct node *new_assignment(const struct once *o, struct loc loc)
{
	struct node *call = node_own_call(o->function->name, loc), *assign = node_new(ND_ASSIGN, loc), *n = node_new(ND_EXPR, loc);

	call->func = o->function;
	assign->op = OP_ASSIGN;
	assign->kid[0] = local_name(o, loc);
	assign->kid[1] = call;
	assign->type = call->type = o->function->type;
	n->kid[0] = assign;
	return n;
}

/* Keeps the first stable call of *STATEMENT for it and what follows in the block; false: there is none worth it. */
static bool keep(struct node **statement, struct once *o)
{
	struct loc loc = (*statement)->loc;
	struct node *assignment;

	o->function = NULL;
	o->local = NULL;
	o->calls = 0;
	find_always(statement, o);
	if (!o->function)
		return false;
	for (struct node **np = statement; *np; np = &(*np)->next)
		replace(np, o);
	if (o->calls < (o->function->type == TY_STRING ? WORTH_STRING : WORTH_LONG))
		return false;
	new_local(o, loc);
	for (struct node **np = statement; *np; np = &(*np)->next)
		replace(np, o);
	assignment = new_assignment(o, loc);
	assignment->next = *statement;
	*statement = assignment;
	return true;
}

static void once_block(struct node **np, void *data)
{
	struct once *o = data;

	if ((*np)->kind != ND_BLOCK) {
		node_kids(*np, once_block, o);
		return;
	}
	for (struct node **s = &(*np)->list; *s; s = &(*s)->next) {
		/* Each round puts one assignment before the statement. */
		while (keep(s, o))
			s = &(*s)->next;
		once_block(s, o);
	}
}

void once_calls(struct node *body, struct symbol **locals, const struct symbol *params)
{
	struct once o = { .locals = locals, .params = params };

	once_block(&body, &o);
}

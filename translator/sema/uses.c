/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions probes reach, and which symbols are read and written: found again each time the tree has changed.
 *
 * Reading counts where the value is wanted: `a++` as a statement only writes, so its global is shown at the end.
 */
#include "translator/sema/embedded.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"

/* Marks the symbol of an lvalue as written, and as read where its old value counts. */
static void mark_write(struct node *n, bool read)
{
	struct node *name = n->kind == ND_INDEX ? n->kid[0] : n;

	if (name->kind != ND_NAME || !name->sym)
		return;
	name->sym->written = true;
	name->sym->read |= read;
}

static void mark_kid(struct node **np, void *data);

/* USED: the value of N is wanted. */
static void mark(struct node *n, bool used)
{
	if (n->kind == ND_NAME && n->sym) {
		n->sym->read = true;
		return;
	}
	if (n->kind == ND_EXPR) {
		mark(n->kid[0], false);
		return;
	}
	if (n->kind == ND_FOR) {
		for (int i = 0; i < 4; i++)
			if (n->kid[i])
				mark(n->kid[i], i == 1);
		return;
	}
	if (n->kind == ND_ASSIGN || n->kind == ND_INCDEC || n->kind == ND_DELETE) {
		mark_write(n->kid[0], used && n->kind != ND_DELETE &&
				      (n->kind == ND_INCDEC || n->op != OP_ASSIGN));
		if (n->kid[0]->kind == ND_INDEX)
			for (struct node *k = n->kid[0]->list; k; k = k->next)
				mark(k, true);
		else if (n->kid[0]->kind != ND_NAME)
			mark(n->kid[0], true);
		if (n->kid[1])
			mark(n->kid[1], true);
		return;
	}
	if (n->kind == ND_FOREACH) {
		for (struct node *k = n->foreach->keys; k; k = k->next)
			mark_write(k, false);
		if (n->foreach->value)
			mark_write(n->foreach->value, false);
		for (struct node *k = n->foreach->slice; k; k = k->next)
			mark(k, true);
		for (int i = 0; i < 3; i++)
			if (n->kid[i])
				mark(n->kid[i], true);
		return;
	}
	if (n->kind == ND_TRY) {
		mark(n->kid[0], true);
		mark(n->kid[1], true);
		if (n->kid[2])
			mark_write(n->kid[2], false);
		return;
	}
	node_kids(n, mark_kid, NULL);
}

static void mark_kid(struct node **np, void *data)
{
	mark(*np, true);
}

static bool mark_piece(struct node *n, void *data)
{
	if (n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR)
		embedded_mark_globals(data, n->text);
	return true;
}

static void mark_body(struct program *p, struct node *body, struct symbol *params, struct symbol *locals)
{
	mark(body, false);
	node_visit(body, mark_piece, p);
	embedded_mark_variables(p, body, params);
	embedded_mark_variables(p, body, locals);
}

/* Reads by dead functions alone do not count. */
static void mark_program(struct program *p)
{
	struct probe *previous = NULL;

	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		if (!previous || previous->body != pr->body)
			mark_body(p, pr->body, NULL, pr->locals);
		if (pr->condition)
			mark(pr->condition, true);
	}
	for (struct function *f = p->functions; f; f = f->next) {
		if (f->used && f->body)
			mark_body(p, f->body, f->params, f->locals);
		else if (f->used && !f->kit)
			embedded_mark_globals(p, f->c_body);
	}
	for (const struct embedded_c *e = p->embedded; e; e = e->next)
		embedded_mark_globals(p, e->text);
}

static void clear_uses(struct symbol *s)
{
	for (; s; s = s->next)
		s->read = s->written = false;
}

static void mark_used(struct program *p)
{
	struct function_set used = { 0 };
	struct probe *previous = NULL;

	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->body != pr->body)
			function_set_reach(&used, pr->body);
	for (size_t i = 0; i < used.n; i++)
		used.v[i]->used = true;
	function_set_deinit(&used);
}

void find_uses(struct program *p)
{
	clear_uses(p->globals);
	for (struct function *f = p->functions; f; f = f->next) {
		f->used = false;
		clear_uses(f->params);
		clear_uses(f->locals);
	}
	for (struct probe *pr = p->probes; pr; pr = pr->next)
		clear_uses(pr->locals);
	mark_used(p);
	mark_program(p);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops code that never runs, before types are inferred: branches that constants rule out, and statements after `next` or
 * `return`. SystemTap checks neither types nor variables of the target there, and scripts of many versions rely on it. Names in
 * that code have been resolved.
 */
#include "translator/sema/pass.h"

static bool block_leaves(const struct node *block)
{
	for (const struct node *n = block->list; n; n = n->next)
		if (node_leaves(n))
			return true;
	return false;
}

bool node_leaves(const struct node *n)
{
	switch (n->kind) {
	case ND_BREAK:
	case ND_CONTINUE:
	case ND_NEXT:
	case ND_RETURN:
		return true;
	case ND_BLOCK:
		return block_leaves(n);
	case ND_IF:
		return n->kid[2] && node_leaves(n->kid[1]) && node_leaves(n->kid[2]);
	default: /* nothing to do for other kinds */
		break;
	}
	return false;
}

/* Returns the statement that leaves where N is a block, else N: a block has no name in the script. */
static const struct node *leaving_statement(const struct node *n)
{
	while (n->kind == ND_BLOCK)
		for (n = n->list; !node_leaves(n);)
			n = n->next;
	return n;
}

/* One warning a block is enough: the rest follows from it. */
static void cut_block(struct node *block)
{
	struct node *n = block->list, *dead;
	const struct node *leaving;

	while (n && !node_leaves(n))
		n = n->next;
	dead = n ? n->next : NULL;
	if (!dead)
		return;
	n->next = NULL;
	while (dead && dead->kind == ND_NULL_STMT)
		dead = dead->next;
	if (!dead || !dead->loc.src || dead->loc.src->tapset)
		return;
	warning(dead->loc, DIAG_UNREACHABLE, "this statement is never reached");
	leaving = leaving_statement(n);
	note(leaving->loc, "'%s' leaves before it", node_kind_name(leaving->kind));
}

static void elide(struct node **np, void *program)
{
	struct node *n = *np;
	bool yes;

	if (n->absent)
		return;
	switch (n->kind) {
	case ND_IF:
	case ND_COND:
	case ND_BINARY:
		if (node_is_choice(n) && fold_condition(program, &n->kid[0], &yes)) {
			elide(node_decide(np, yes), program);
			return;
		}
		break;
	case ND_WHILE:
		if (fold_condition(program, &n->kid[0], &yes) && !yes) {
			node_replace(np, node_new(ND_NULL_STMT, n->loc));
			return;
		}
		break;
	case ND_FOR:
		/* The code before the loop stays. */
		if (n->kid[1] && fold_condition(program, &n->kid[1], &yes) && !yes) {
			n->kid[2] = NULL;
			n->kid[3] = node_new(ND_NULL_STMT, n->loc);
		}
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	node_kids(n, elide, program);
	if (n->kind == ND_BLOCK)
		cut_block(n);
}

void elide_program(struct program *p)
{
	struct probe *previous = NULL;

	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->body != pr->body)
			elide(&pr->body, p);
	for (struct function *f = p->functions; f; f = f->next)
		if (f->resolved && f->body)
			elide(&f->body, p);
	find_uses(p);
	/* A list of functions wants those that nobody calls. */
	if (p->output.dump == DUMP_FUNCTIONS)
		return;
	for (struct function *f = p->functions; f; f = f->next)
		f->resolved &= f->used;
}

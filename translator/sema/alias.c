/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bodies of aliases: composed around the script's own, and cut down to what the script uses.
 *
 * An alias offers many variables, each of which may fail on the kernel at hand or cost a look into its debugging
 * information: so assignments to names that nothing else mentions go before anybody looks at them.
 */
#include "translator/sema/alias.h"

#include <string.h>

#include "lib/text.h"
#include "translator/probe/probe.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

/* ---- @probewrite ---- */

struct write_search {
	const char *name;
	bool found;
};

static bool find_write(struct node *n, void *data)
{
	struct write_search *s = data;
	const struct node *target = n->kind == ND_ASSIGN || n->kind == ND_INCDEC ? n->kid[0] :
				    n->kind == ND_TRY ? n->kid[2] : NULL;

	if (target && (target->kind == ND_NAME || target->kind == ND_TARGET) && target->name == s->name)
		s->found = true;
	if (n->kind == ND_FOREACH) {
		for (const struct node *k = n->foreach->keys; k; k = k->next)
			if (k->name == s->name)
				s->found = true;
		if (n->foreach->value && n->foreach->value->name == s->name)
			s->found = true;
	}
	return !s->found;
}

/* @probewrite(v): whether the body of the script writes v. */
static bool answer_probewrite(struct node *n, void *data)
{
	struct write_search s = { .name = n->name };

	if (n->kind != ND_PROBEWRITE)
		return true;
	node_visit(data, find_write, &s);
	n->kind = ND_NUM;
	n->num = s.found;
	return false;
}

/* ---- what nothing mentions ---- */

struct count {
	const char *name;
	int n;
};

static bool count_name(struct node *n, void *data)
{
	struct count *c = data;

	if (n->kind == ND_NAME && n->name == c->name)
		c->n++;
	return true;
}

/* Finds effects, certain or possible: before names are resolved a call may be anything. A library's calls are known to be harmless
 * where they compute the value of a variable. */
static bool find_effect(struct node *n, void *data)
{
	bool *found = data;

	*found |= n->kind == ND_ASSIGN || n->kind == ND_INCDEC || n->kind == ND_EMBED_EXPR ||
		  (n->kind == ND_PRINT && op_info[n->op].result != 'S') ||
		  (n->kind == ND_CALL && !n->loc.src->tapset);
	return !*found;
}

static bool is_global(struct program *p, const char *name, const struct source *file)
{
	if (file->tapset)
		tapset_need_global(p, name);
	for (const struct symbol *g = p->globals; g; g = g->next)
		if (g->name == name)
			return true;
	return false;
}

/* `name = expression` of an alias that may go. */
static bool is_offer(struct program *p, struct node *n, const struct source *file)
{
	struct node *e = n->kid[0];
	bool effect = false;

	if (!node_assigns_name(n))
		return false;
	node_visit(e->kid[1], find_effect, &effect);
	return !effect && !is_global(p, e->kid[0]->name, file);
}

/* One round over the parts of aliases; what it removes may have been the only one to mention something else. */
static bool remove_offers(struct program *p, struct node *block, const struct node *own)
{
	bool removed = false;

	for (struct node *part = block->list; part; part = part->next) {
		struct node **np = &part->list;

		while (part != own && *np) {
			struct count c = { 0 };

			if (is_offer(p, *np, part->loc.src)) {
				c.name = (*np)->kid[0]->kid[0]->name;
				node_visit(block, count_name, &c);
			}
			if (c.n == 1) {
				*np = (*np)->next;
				removed = true;
			} else {
				np = &(*np)->next;
			}
		}
	}
	return removed;
}

/* ---- composing ---- */

static struct node *add_part(struct node ***tail, const struct node *body, const struct source *file)
{
	struct node *part = node_clone(body);

	part->loc.src = file;
	**tail = part;
	*tail = &part->next;
	return part;
}

struct node *alias_body(struct program *p, const struct probe_def *def, const struct alias_step *steps)
{
	struct node *block = node_new(ND_BLOCK, def->body->loc), **tail = &block->list, *own;
	const struct alias_step *order[ALIAS_DEPTH_MAX + 1];
	int n = 0;

	for (const struct alias_step *s = steps; s; s = s->outer) {
		order[n++] = s;
		if (s->alias->prologue)
			add_part(&tail, s->alias->prologue, s->alias->file);
	}
	own = add_part(&tail, def->body, def->file);
	while (n > 0) {
		const struct alias_step *s = order[--n];

		if (s->alias->epilogue)
			add_part(&tail, s->alias->epilogue, s->alias->file);
	}
	node_visit(block, answer_probewrite, def->body);
	/* -L lists what is offered. */
	while (!p->output.list && remove_offers(p, block, own))
		continue;
	return block;
}

const char *alias_chain_text(const struct alias_step *steps)
{
	struct text t = { 0 };

	for (; steps; steps = steps->outer)
		text_printf(&t, "%s%s", t.len ? " <- " : "", probe_point_text(steps->point));
	return t.len ? text_keep(&t) : NULL;
}

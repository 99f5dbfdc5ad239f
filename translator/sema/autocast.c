/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of the probed program for values of the script: `p = $file; ... p->f_path` works without a cast.
 *
 * The type that a value points at is known of target values. It flows through assignments into locals, globals and the elements
 * of arrays, through arguments into parameters and through `return` out of functions. A function of the kit says in a comment
 * what it returns the address of. Each round gives the chains of
 * -> and [] whose beginning is known by now their access, which may teach the next one. A variable that is
 * given addresses of several types has none: -> needs a @cast there.
 */
#include <string.h>

#include "translator/probe/context.h"
#include "translator/probe/enums.h"
#include "translator/sema/pass.h"

struct autocast {
	struct program *program;
	struct probe *probe;       /* being walked, or */
	struct function *function;
	bool changed;
	bool kit_learned;
	bool resolve;              /* something new has names */
	bool report;
	bool ok;
};

static const struct context_place no_place;

static void walk(struct node **np, void *data);

/* ---- learning ---- */
static void learn(struct autocast *ac, const struct ctype **known, bool *clash, struct loc *from,
		  const struct ctype *type, struct loc loc)
{
	if (!type || *clash)
		return;
	if (*known && !strcmp((*known)->name, type->name))
		return;
	/* A variable may hold numbers that mean nothing to it, and addresses at other times. */
	if (*known && type->kind == CT_ENUM && (*known)->kind != CT_ENUM)
		return;
	if (*known && ((*known)->kind != CT_ENUM || type->kind == CT_ENUM))
		*clash = true;
	else
		*from = loc;
	*known = *clash ? NULL : type;
	ac->changed = true;
}

static void learn_symbol(struct autocast *ac, struct symbol *s, const struct ctype *type, struct loc loc)
{
	if (s)
		learn(ac, &s->points_to, &s->points_clash, &s->points_loc, type, loc);
}

static void learn_assignment(struct autocast *ac, const struct node *n)
{
	const struct node *to = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];

	if (to->kind == ND_NAME && n->op == OP_ASSIGN)
		learn_symbol(ac, to->sym, context_points_to(n->kid[1]), n->kid[1]->loc);
}

static void learn_call(struct autocast *ac, const struct node *n)
{
	for (struct function *f = n->func; f; f = f->overload) {
		struct symbol *param = f->params;

		for (const struct node *arg = n->list; arg && param; arg = arg->next, param = param->next)
			learn_symbol(ac, param, context_points_to(arg), arg->loc);
	}
}

static void learn_node(struct autocast *ac, const struct node *n)
{
	struct function *f = ac->function;

	switch (n->kind) {
	case ND_ASSIGN:
		learn_assignment(ac, n);
		break;
	case ND_CALL:
		learn_call(ac, n);
		break;
	case ND_RETURN:
		if (f && n->kid[0])
			learn(ac, &f->points_to, &f->points_clash, &f->points_loc, context_points_to(n->kid[0]),
			      n->kid[0]->loc);
		break;
	case ND_FOREACH:
		if (n->foreach->value && n->kid[0]->kind == ND_NAME && n->kid[0]->sym)
			learn_symbol(ac, n->foreach->value->sym, n->kid[0]->sym->points_to, n->loc);
		break;
	default: /* nothing to do for other kinds */
		break;
	}
}

/* The type of "points to NAME" in the comments of the kit function F; NULL: none. */
static const struct ctype *kit_type(struct autocast *ac, const struct function *f)
{
	static const char points_to[] = "/* points to ";
	const char *s = f->kit ? strstr(f->c_body, points_to) : NULL, *name;
	struct target *t;
	struct trial trial;

	if (!s)
		return NULL;
	s += sizeof(points_to) - 1;
	name = arena_strndup(&program_arena, s, strcspn(s, " *"));
	trial_begin(ac->program->reports, &trial, TRIAL_DROPS);
	t = context_kernel(ac->program);
	trial_end(&trial);
	return t ? target_type(t, name) : NULL;
}

/* Needs the kernel's debugging information, so only a script that has a chain without a type gets here. */
static void learn_kit(struct autocast *ac)
{
	if (ac->kit_learned)
		return;
	ac->kit_learned = true;
	for (struct function *f = ac->program->functions; f; f = f->next)
		if (f->resolved)
			learn(ac, &f->points_to, &f->points_clash, &f->points_loc, kit_type(ac, f), f->loc);
}

/* ---- chains ---- */
static bool is_step(const struct node *n)
{
	return n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS;
}

/* Returns the start of a chain; its indexes are walked on the way. */
static struct node **chain_root(struct autocast *ac, struct node *n)
{
	struct node **np = &n->kid[0];

	for (;;) {
		if (n->kind == ND_SUBSCRIPT)
			walk(&n->kid[1], ac);
		if (!is_step(*np))
			return np;
		n = *np;
		np = &n->kid[0];
	}
}

/* The names in a value that was just written out are new to everybody. */
static void resolve_new(struct autocast *ac, struct node **np)
{
	ac->ok &= resolve_expression(ac->program, ac->probe, ac->function, np);
	ac->resolve = true;
}

static void walk_chain(struct autocast *ac, struct node **np)
{
	struct node *n = *np, *next = n->next, **root = chain_root(ac, n);

	/* A variable without a place has been reported. */
	if ((*root)->kind == ND_TARGET && !(*root)->access)
		return;
	walk(root, ac);
	if (!context_variable(ac->program, &no_place, np, !ac->report)) {
		ac->ok &= !ac->report;
		learn_kit(ac);
		return;
	}
	ac->changed = true;
	(*np)->next = next;
	if (*np != n)
		resolve_new(ac, np);
}

/* @enumname(t): the type of the value may be known by now. */
static void name_enumerators(struct autocast *ac, struct node *n)
{
	struct trial trial = { 0 };
	bool named;

	if (!ac->report)
		trial_begin(ac->program->reports, &trial, TRIAL_DROPS);
	named = enum_names(ac->program, NULL, n, NULL);
	trial_end(&trial);
	ac->changed |= named && n->list; /* an enumeration may have no names, as std::byte has none */
	ac->ok &= named || !ac->report;
}

/* Several types were assigned to what N begins with: any of them may be meant. */
static void check_clash(struct autocast *ac, const struct node *n)
{
	const struct node *root = n->kid[0]->kind == ND_INDEX ? n->kid[0]->kid[0] : n->kid[0];
	bool clash = root->kind == ND_NAME && root->sym ? root->sym->points_clash :
		     root->kind == ND_CALL && root->func && root->func->points_clash;

	if (!clash)
		return;
	ac->ok = error(n->loc, DIAG_TARGET_TYPE, "'%s' points at values of several types", root->name);
	note(root->kind == ND_NAME ? root->sym->points_loc : root->func->points_loc, "the first comes from here");
	note(n->loc, "say which one: @cast(%s, \"struct NAME\")", root->name);
}

/* @defined of what depends on the script's variables is answered last, when all that can be known is. */
static void answer_defined(struct node **np)
{
	node_replace(np, node_number((*np)->loc, (*np)->kid[0]->access != NULL));
}

/* A choice by such an answer: only the branch that is taken must make sense. */
static void walk_choice(struct autocast *ac, struct node **np)
{
	struct node *n = *np;
	bool yes;

	walk(&n->kid[0], ac);
	if (fold_condition(ac->program, &n->kid[0], &yes)) {
		walk(node_decide(np, yes), ac);
		return;
	}
	for (int i = 1; i < 3; i++)
		if (n->kid[i])
			walk(&n->kid[i], ac);
}

/* Statements after one that leaves now are cut off. */
static void walk_block(struct autocast *ac, struct node *block)
{
	for (struct node **np = &block->list; *np; np = &(*np)->next) {
		walk(np, ac);
		if (node_leaves(*np))
			(*np)->next = NULL;
	}
}

static void walk(struct node **np, void *data)
{
	struct autocast *ac = data;
	struct node *n = *np;

	if (n->absent) {
		if (ac->report) {
			target_report_absent(ac->program, ac->probe, ac->function, np);
			ac->ok = false;
		}
		return;
	}
	if (n->kind == ND_DEFINED) {
		if (!ac->report && !n->kid[0]->access)
			node_kids(n, walk, ac);
		if (ac->report || n->kid[0]->access)
			answer_defined(np);
		return;
	}
	if (node_is_choice(n)) {
		walk_choice(ac, np);
		return;
	}
	if (n->kind == ND_BLOCK) {
		walk_block(ac, n);
		return;
	}
	if (ac->report && n->access && n->access->base == ACC_EXPR && !n->access->said && is_step(n))
		check_clash(ac, n);
	if (is_step(n) && !n->access) {
		walk_chain(ac, np);
		return;
	}
	node_kids(n, walk, ac);
	if (n->kind == ND_ENUMNAME && !n->list && !n->kid[1])
		name_enumerators(ac, n);
	learn_node(ac, n);
}

/* ---- the pass ---- */
static void walk_bodies(struct autocast *ac)
{
	struct probe *previous = NULL;

	for (struct function *f = ac->program->functions; f; f = f->next) {
		ac->function = f;
		if (f->resolved && f->body)
			walk(&f->body, ac);
	}
	ac->function = NULL;
	for (struct probe *pr = ac->program->probes; pr; previous = pr, pr = pr->next) {
		ac->probe = pr;
		if (pr->condition)
			walk(&pr->condition, ac);
		if (!previous || previous->body != pr->body)
			walk(&pr->body, ac);
	}
	ac->probe = NULL;
}

bool autocast_program(struct program *p)
{
	struct autocast ac = { .program = p, .ok = true };

	do {
		ac.changed = false;
		walk_bodies(&ac);
		if (ac.resolve)
			ac.ok &= resolve_program(p);
		ac.resolve = false;
	} while (ac.changed && ac.ok);
	ac.report = true;
	if (ac.ok)
		walk_bodies(&ac);
	return ac.ok;
}

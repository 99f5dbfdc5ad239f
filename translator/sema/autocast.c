/* Types of the probed program for values of the script: `p = $file; ... p->f_path` works without a cast.
 *
 * What a value points at is known of target values. It flows through assignments into locals, globals and the elements
 * of arrays, through arguments into parameters and through `return` out of functions. Each round gives the chains of
 * -> and [] whose beginning is known by now their access, which may teach the next one. A variable that is
 * given addresses of several types has none: -> needs a @cast there.
 */
#include <string.h>

#include "translator/probe/context.h"
#include "translator/sema/pass.h"

struct autocast {
	struct program *program;
	struct probe *probe;       /* being walked, or */
	struct function *function;
	bool changed;
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
	if (*known)
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

	switch ((int)n->kind) {
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
	}
}

/* ---- chains ---- */
static bool is_step(const struct node *n)
{
	return n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS;
}

/* What a chain begins with; what it is indexed by is walked on the way. */
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
		return;
	}
	ac->changed = true;
	(*np)->next = next;
	if (*np != n)
		resolve_new(ac, np);
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
	struct node *answer = node_new(ND_NUM, (*np)->loc);

	answer->num = (*np)->kid[0]->access != NULL;
	node_replace(np, answer);
}

static bool find_defined(struct node *n, void *data)
{
	*(bool *)data |= n->kind == ND_DEFINED;
	return !*(bool *)data;
}

/* A choice by such an answer: only the branch that is taken must make sense. */
static bool walk_decided(struct autocast *ac, struct node **np)
{
	struct node *n = *np, *taken;
	bool found = false;
	long long v;

	if (!ac->report || (n->kind != ND_IF && n->kind != ND_COND))
		return false;
	node_visit(n->kid[0], find_defined, &found);
	if (!found)
		return false;
	walk(&n->kid[0], ac);
	if (!fold_constant(n->kid[0], &v))
		return false;
	taken = n->kid[v ? 1 : 2];
	node_replace(np, taken ? taken : node_new(ND_NULL_STMT, n->loc));
	walk(np, ac);
	return true;
}

static void walk(struct node **np, void *data)
{
	struct autocast *ac = data;
	struct node *n = *np;

	if (n->kind == ND_DEFINED && (ac->report || n->kid[0]->access)) {
		answer_defined(np);
		return;
	}
	if (walk_decided(ac, np))
		return;

	if (ac->report && n->access && n->access->base == ACC_EXPR && !n->access->said && is_step(n))
		check_clash(ac, n);
	if (is_step(n) && !n->access) {
		walk_chain(ac, np);
		return;
	}
	node_kids(n, walk, ac);
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

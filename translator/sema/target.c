/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the probed program in probe bodies: each place gets its own copy, where the family says how to compute them.
 *
 * @defined is answered here, before any other pass sees the branch that it rules out: that branch may use variables
 * which do not exist at this place. So may a branch that a constant rules out.
 */
#include <string.h>

#include "lib/arena.h"
#include "lib/map.h"
#include "translator/probe/context.h"
#include "translator/probe/enums.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"

static bool is_target(const struct node *n)
{
	return n->kind == ND_TARGET || n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT ||
	       n->kind == ND_ADDRESS || n->kind == ND_CAST || n->kind == ND_VAR;
}

struct dependence {
	struct program *program;
	bool found;
};

static bool find_dependent(struct node *n, void *data)
{
	struct dependence *d = data;

	if (is_target(n) || n->kind == ND_DEFINED || n->kind == ND_ENTRY || n->kind == ND_PERF ||
	    n->kind == ND_ENUM || n->kind == ND_ENUMNAME)
		d->found = true;
	else if (!d->found && n->kind == ND_CALL)
		d->found = function_is_placed(d->program, n->name);
	return !d->found;
}

bool target_dependent(struct program *p, struct node *body)
{
	struct dependence d = { .program = p };

	node_visit(body, find_dependent, &d);
	return d.found;
}

struct context {
	struct program *program;
	struct probe *probe;    /* NULL: a function, whose body is the same for all probes */
	struct node *body;
	struct map read;        /* names that the body reads */
	const char *assigned;   /* the name that gets a value without effects, while that value's names are collected; NULL: none */
	bool collected;         /* those */
	bool reads_all;         /* embedded C may read any */
	int unread;             /* above 0: in a value that nobody reads */
	bool failed;
};

static const struct context_place no_place;

/* Returns the start of a chain of -> [] &. */
static const struct node *chain_root(const struct node *n)
{
	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS)
		n = n->kid[0];
	return n;
}

/* Whether the type of N depends on variables of the script, whose types nobody knows yet: autocast.c. */
static bool is_later(const struct node *n)
{
	return is_target(n) && !is_target(chain_root(n));
}

static const struct context_place *place_of(const struct context *c)
{
	const struct context_place *cp = c->probe ? context_of(c->probe) : NULL;

	return cp ? cp : &no_place;
}

/* The value by the family of the probe; what needs no place, @cast and @var, is computed in any code. */
static bool find_value(struct context *c, struct node **np, bool asked)
{
	const struct probe_family *f = c->probe ? c->probe->family : NULL;
	int root = chain_root(*np)->kind;

	if (f && f->variable && (root == ND_TARGET || root == ND_ENTRY))
		return f->variable(c->program, c->probe, np, asked);
	return context_variable(c->program, place_of(c), np, asked);
}

/* The same, without messages. */
static bool try_value(struct context *c, struct node **np, bool asked)
{
	struct trial trial;
	bool found;

	trial_begin(c->program->reports, &trial, TRIAL_DROPS);
	found = find_value(c, np, asked);
	trial_end(&trial);
	return found;
}

static void expand(struct node **np, void *data);

static bool find_defined(struct node *n, void *data)
{
	if (n->kind == ND_DEFINED)
		*(bool *)data = true;
	return !*(bool *)data;
}

static bool has_defined(struct node *n)
{
	bool found = false;

	node_visit(n, find_defined, &found);
	return found;
}

/* Whether the chain or @entry N has a value here. Only a probe that knows variables has them. */
static bool has_value(struct context *c, const struct node *n)
{
	bool variable = n->kind == ND_ENTRY || chain_root(n)->kind == ND_TARGET;
	struct node *copy = node_clone(n);

	return (!variable || (c->probe && c->probe->family->variable)) && try_value(c, &copy, true);
}

/* Whether the @enum or @enumname N is known here. */
static bool has_enum(struct context *c, const struct node *n)
{
	struct node *copy = node_clone(n);
	struct trial trial;
	bool found = true;

	trial_begin(c->program->reports, &trial, TRIAL_DROPS);
	if (n->kind == ND_ENUM)
		found = enum_fold(c->program, place_of(c), &copy);
	else if (!is_target(n->kid[0]) || (found = find_value(c, &copy->kid[0], true)))
		found = enum_names(c->program, place_of(c)->target, copy, NULL);
	trial_end(&trial);
	return found;
}

struct asked {
	struct context *context;
	bool absent;
};

static bool find_absent(struct node *n, void *data)
{
	struct asked *a = data;

	if (is_target(n) || n->kind == ND_ENTRY)
		a->absent |= !is_later(n) && !has_value(a->context, n);
	else if (n->kind == ND_ENUM || n->kind == ND_ENUMNAME)
		a->absent |= !has_enum(a->context, n);
	else
		return !a->absent && n->kind != ND_DEFINED;
	return false;
}

/* @defined(e): whether all that e asks of the program is known at this place. */
static void answer_defined(struct context *c, struct node **np)
{
	struct asked a = { .context = c };

	node_visit((*np)->kid[0], find_absent, &a);
	node_replace(np, node_number((*np)->loc, !a.absent));
}

/* Expands the branch *NP. autocast.c may rule it out later, so a failure is no error yet: the branch stays as it is. Warnings of a branch
 * that was expanded are reported. */
static void expand_branch(struct context *c, struct node **np)
{
	struct node *branch = node_clone(*np);
	const struct warned warned = c->program->warned;
	struct trial trial;

	if (c->failed)
		return;
	trial_begin(c->program->reports, &trial, TRIAL_HOLDS);
	expand(&branch, c);
	if (c->failed) {
		trial_end(&trial);
		c->program->warned = warned;
		(*np)->absent = true;
	} else {
		trial_hand_on(&trial);
		node_replace(np, branch);
	}
	c->failed = false;
}

/* A condition that is constant or that @defined decides: only the branch taken goes on. */
static void expand_choice(struct context *c, struct node **np)
{
	struct node *n = *np;
	bool yes, open;

	expand(&n->kid[0], c);
	if (!c->failed && fold_condition(c->program, &n->kid[0], &yes)) {
		expand(node_decide(np, yes), c);
		return;
	}
	open = has_defined(n->kid[0]);
	for (int i = 1; i < 3; i++)
		if (n->kid[i] && open)
			expand_branch(c, &n->kid[i]);
		else if (n->kid[i])
			expand(&n->kid[i], c);
}

enum { TEXT_DEPTH = 16 }; /* of calls; there, neither functions nor variables are looked into */

static bool is_text(struct program *p, const struct node *n, int depth);

struct returned {
	struct program *program;
	int depth;
	bool text;
};

static bool find_returned(struct node *n, void *data)
{
	struct returned *r = data;

	if (n->kind == ND_RETURN && n->kid[0])
		r->text |= is_text(r->program, n->kid[0], r->depth);
	return !r->text;
}

/* Does a call of NAME give a string? Functions that do not say so are read. */
static bool call_is_text(struct program *p, const struct node *n, int depth)
{
	struct returned r = { .program = p, .depth = depth + 1 };
	const struct function *f;
	bool several;

	tapset_need_function(p, n->name);
	f = function_named(p, n->name, n->loc.src, &several);
	if (f && !f->type_declared && f->body && depth < TEXT_DEPTH)
		node_visit(f->body, find_returned, &r);
	return f && (f->type_declared ? f->type == TY_STRING : r.text);
}

struct assigned {
	struct program *program;
	const char *name;
	bool text;
};

static bool find_assigned(struct node *n, void *data)
{
	struct assigned *a = data;
	const struct node *to = n->kind == ND_ASSIGN ? n->kid[0] : NULL;

	if (to && to->kind == ND_INDEX)
		to = to->kid[0];
	if (to && to->kind == ND_NAME && to->name == a->name)
		a->text |= is_text(a->program, n, TEXT_DEPTH);
	return !a->text;
}

/* Does the script assign strings to the variable NAME, or to its elements? */
static bool variable_is_text(struct program *p, const char *name)
{
	struct assigned a = { .program = p, .name = name };

	for (const struct symbol *g = p->globals; g; g = g->next)
		a.text |= g->name == name && g->init && g->init->kind == ND_STR;
	for (struct function *f = p->functions; f; f = f->next)
		if (f->body && f->loc.src && !f->loc.src->tapset)
			node_visit(f->body, find_assigned, &a);
	for (struct probe_def *d = p->probe_defs; d; d = d->next)
		node_visit(d->body, find_assigned, &a);
	return a.text;
}

/* Is the value of N a string? Asked before types are inferred, for what @entry keeps: as far as the expression shows. */
static bool is_text(struct program *p, const struct node *n, int depth)
{
	switch (n->kind) {
	case ND_STR:
	case ND_PRINT:
	case ND_ENUMNAME:
		return true;
	case ND_TARGET:
		return n->pretty || !strncmp(n->name, "$$", 2);
	case ND_BINARY:
		return n->op == OP_CAT;
	case ND_ASSIGN:
		return n->op == OP_CAT_ASSIGN || is_text(p, n->kid[1], depth);
	case ND_COND:
		return is_text(p, n->kid[1], depth) || is_text(p, n->kid[2], depth);
	case ND_CALL:
		return call_is_text(p, n, depth);
	case ND_NAME:
		return depth < TEXT_DEPTH && variable_is_text(p, n->name);
	case ND_INDEX:
		return depth < TEXT_DEPTH && n->kid[0]->kind == ND_NAME && variable_is_text(p, n->kid[0]->name);
	default: /* nothing to do for other kinds */
		break;
	}
	return is_target(n) && n->pretty;
}

/* With --skip-badvars and in values that nobody reads, unless -W makes an error of the warning. */
static bool skips(const struct context *c)
{
	return (c->unread || c->program->language.skip_badvars) && !program_reports(c->program)->warnings_are_errors;
}

/* Replaces an unavailable value by 0, and a warning says why. */
static bool skip_value(struct context *c, struct node **np)
{
	struct node *n = *np, *zero;
	struct trial trial;

	if (!skips(c))
		return false;
	trial_begin(c->program->reports, &trial, TRIAL_DEMOTES);
	if (!c->probe || c->probe->family->variable)
		find_value(c, np, false);
	trial_end(&trial);
	zero = node_new(n->pretty ? ND_STR : ND_NUM, n->loc);
	zero->text = "";
	zero->next = n->next;
	node_replace(np, zero);
	return true;
}

static void expand_value(struct context *c, struct node **np)
{
	struct node *n = *np, *next = n->next;
	bool placed = n->kind == ND_ENTRY || chain_root(n)->kind == ND_TARGET;

	/* A variable in a function has been reported by whoever resolves names. */
	if (placed && !c->probe) {
		node_kids(n, expand, c);
		return;
	}
	if (placed && !c->probe->family->variable) {
		if (skip_value(c, np))
			return;
		error(n->loc, DIAG_TARGET_VAR, "probe '%s' has no target variables", c->probe->pp);
		note(n->loc, "they exist in probes on functions; a variable of the script has no '$'");
		c->failed = true;
		return;
	}
	if (n->kind == ND_ENTRY && is_text(c->program, n->kid[0], 0))
		n->type = TY_STRING;
	if (!((placed || c->unread) && skips(c) ? try_value(c, np, false) : find_value(c, np, false))) {
		c->failed = !(placed || c->unread) || !skip_value(c, np);
		return;
	}
	(*np)->next = next;
	if (*np != n) {
		expand(np, c);
	} else if (placed && !kept_value(c->program, c->probe, place_of(c), n)) {
		c->failed = true;
	} else {
		node_kids(n, expand, c);
	}
}

/* (@defined($a) ? $a : $b)->member: a chain begins with the branch that is taken, as if that had been written. Only then
 * the place is asked, about the chain as a whole: of a structure, $a alone would have no value.
 */
static void decide_root(struct context *c, struct node **np)
{
	struct node *n;
	bool v;

	for (;; np = &n->kid[0]) {
		n = *np;
		if (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS || n->kind == ND_DEFINED)
			continue;
		while (n->kind == ND_COND && has_defined(n->kid[0])) {
			expand(&n->kid[0], c);
			if (c->failed || !fold_condition(c->program, &n->kid[0], &v))
				return;
			node_replace(np, n->kid[v ? 1 : 2]);
			n = *np;
		}
		if (!is_target(n) || chain_root(n) == n)
			return;
	}
}

/* An assignment whose left side may be a value that the family computes by a call: that has no place to write to. */
static void expand_assignment(struct context *c, struct node *n)
{
	const struct node *left = n->kid[0];
	const char *name = left->kind == ND_TARGET ? left->name : NULL;

	node_kids(n, expand, c);
	if (c->failed || !name || n->kid[0]->kind != ND_CALL)
		return;
	c->failed = true;
	error(n->loc, DIAG_LVALUE, "'%s' cannot be written in probe '%s'", name, c->probe->pp);
	if (c->probe->family == &probe_family_syscall)
		note(n->loc, "in probes on functions it can, with -g: that of a system call is kernel.function(\"__*_sys_NAME\")");
	else
		note(n->loc, "it is a copy: a change would not reach the program");
}

/* @var("name") of a variable that is visible at the place is $name. */
static void mean_variable(const struct context *c, struct node *n)
{
	const struct context_place *cp = place_of(c);

	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS)
		n = n->kid[0];
	if (n->kind != ND_VAR || n->kid[0] || n->text2 || strchr(n->text, '@') || strchr(n->text, ':') || cp->is_tracepoint || !cp->target ||
	    !cp->place || !target_variable(cp->target, cp->place, n->text))
		return;
	n->kind = ND_TARGET;
	n->name = intern(arena_printf(&program_arena, "$%s", n->text));
	n->text = NULL;
}

/* The type of a value that a return probe keeps from the entry, NULL: it keeps none. */
static const struct ctype *type_at_entry(const struct context *c, const struct node *n)
{
	struct context_place cp = *place_of(c);
	struct node *copy = node_clone(n->kind == ND_ENTRY ? n->kid[0] : n);

	if (!cp.at_return || !is_target(copy))
		return NULL;
	cp.at_return = false;
	return context_variable(c->program, &cp, &copy, true) && copy->access && !copy->access->address ? copy->access->type : NULL;
}

static bool is_empty(const struct node *n)
{
	if (n->kind == ND_BLOCK)
		for (const struct node *s = n->list; s; s = s->next)
			if (!is_empty(s))
				return false;
	return n->kind == ND_BLOCK || n->kind == ND_NULL_STMT;
}

/* Whether N is an `if` without statements, whose condition nobody needs. */
static bool is_idle(struct context *c, const struct node *n)
{
	return n->kind == ND_IF && is_empty(n->kid[1]) && (!n->kid[2] || is_empty(n->kid[2])) && !has_effects(c->program, n->kid[0]);
}

/* Collects the names that are read. That `a = a + 1` reads a does not count. */
static bool find_reads(struct node *n, void *data)
{
	struct context *c = data;

	if (node_assigns_name(n)) {
		const char *outer = c->assigned;

		c->assigned = has_effects(c->program, n->kid[0]->kid[1]) ? NULL : n->kid[0]->kid[0]->name;
		node_visit(n->kid[0]->kid[1], find_reads, c);
		c->assigned = outer;
		return false;
	}
	if (is_idle(c, n))
		return false;
	if (n->kind == ND_NAME && n->name != c->assigned)
		map_add(&c->read, n->name, 0);
	c->reads_all |= n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR;
	return true;
}

/* Whether nobody reads the value of the statement N, or the condition of the `if` N. SystemTap does not check its target variables
 * then. */
static bool is_unread(struct context *c, const struct node *n)
{
	const char *name;

	if (c->program->language.no_optimise)
		return false;
	if (n->kind != ND_EXPR)
		return is_idle(c, n);
	if (!node_assigns_name(n))
		return !has_effects(c->program, n->kid[0]);
	if (!c->collected)
		node_visit(c->body, find_reads, c);
	c->collected = true;
	name = n->kid[0]->kid[0]->name;
	if (c->reads_all || map_find(&c->read, name, 0))
		return false;
	tapset_need_global(c->program, name);
	for (const struct symbol *g = c->program->globals; g; g = g->next)
		if (g->name == name)
			return false;
	return true;
}

/* The body of a loop whose condition is 0 has no place: elide.c drops it. */
static void expand_loop(struct context *c, struct node *n)
{
	struct node **condition = n->kind == ND_FOR ? &n->kid[1] : &n->kid[0];
	bool yes;

	for (int i = 0; i < 4; i++) {
		if (!n->kid[i])
			continue;
		expand(&n->kid[i], c);
		if (&n->kid[i] == condition && !c->failed && fold_condition(c->program, condition, &yes) && !yes)
			return;
	}
}

/* Is N an `if` that leaves or not by an @defined that autocast.c answers? */
static bool leaves_by_later(const struct node *n)
{
	return n->kind == ND_IF && has_defined(n->kid[0]) && (node_leaves(n->kid[1]) || (n->kid[2] && node_leaves(n->kid[2])));
}

/* Statements that are never reached have no place: elide.c drops them. Those after one that may leave by a late answer are branches of
 * it. */
static void expand_block(struct context *c, struct node *block)
{
	bool late = false;

	for (struct node **np = &block->list; *np; np = &(*np)->next) {
		if (late)
			expand_branch(c, np);
		else
			expand(np, c);
		if (node_leaves(*np))
			return;
		late |= leaves_by_later(*np);
	}
}

static void expand(struct node **np, void *data)
{
	struct context *c = data;
	struct node *n = *np;

	if (c->failed || n->access)
		return;
	if (is_target(n) || n->kind == ND_DEFINED || n->kind == ND_ENTRY)
		mean_variable(c, n->kind == ND_DEFINED || n->kind == ND_ENTRY ? n->kid[0] : n);
	if (n->kind == ND_DEFINED || (is_target(n) && n->kind != ND_TARGET))
		decide_root(c, np);
	if (n->kind == ND_DEFINED) {
		if (!is_later(n->kid[0]))
			answer_defined(c, np);
		else if (chain_root(n->kid[0])->kind == ND_ENTRY)
			expand(&n->kid[0], c);
	} else if ((n->kind == ND_ASSIGN || n->kind == ND_INCDEC) && is_target(n->kid[0]) && c->probe && c->probe->family->assign) {
		struct node *next = n->next;

		c->failed = !c->probe->family->assign(c->program, c->probe, np);
		(*np)->next = next;
		if (!c->failed)
			expand(np, c);
	} else if (n->kind == ND_ASSIGN) {
		expand_assignment(c, n);
	} else if (n->kind == ND_ENUM) {
		c->failed |= !enum_fold(c->program, place_of(c), np);
	} else if (n->kind == ND_ENUMNAME) {
		const struct ctype *kept = type_at_entry(c, n->kid[0]);

		expand(&n->kid[0], c);
		/* A value that is printed has its names already; the type of a value of the script is known later. */
		if (!n->list && (n->text || kept || n->kid[0]->access))
			c->failed |= !c->failed && !enum_names(c->program, place_of(c)->target, n, kept);
	} else if (is_later(n)) {
		node_kids(n, expand, c);
	} else if (is_target(n) || n->kind == ND_ENTRY) {
		expand_value(c, np);
	} else if (n->kind == ND_BLOCK) {
		expand_block(c, n);
	} else if ((n->kind == ND_EXPR || n->kind == ND_IF) && !c->unread && is_unread(c, n)) {
		bool idle = n->kind == ND_IF && target_dependent(c->program, n->kid[0]);

		c->unread++;
		node_kids(n, expand, c);
		c->unread--;
		if (idle)
			node_replace(np, node_new(ND_NULL_STMT, n->loc));
	} else if (node_is_choice(n)) {
		expand_choice(c, np);
	} else if (n->kind == ND_WHILE || n->kind == ND_FOR) {
		expand_loop(c, n);
	} else {
		node_kids(n, expand, c);
	}
}

bool target_expand(struct program *p, struct probe *pr)
{
	struct context c = { .program = p, .probe = pr, .body = pr->body };

	if (pr->condition)
		expand(&pr->condition, &c);
	expand(&pr->body, &c);
	return !c.failed;
}

bool target_expand_function(struct program *p, struct function *f)
{
	struct context c = { .program = p, .probe = f->probe, .body = f->body };
	struct probe *helper;

	if (!f->body || !target_dependent(p, f->body))
		return true;
	expand(&f->body, &c);
	/* In a return probe it may have made the helper of the entry, or given it more to keep. */
	helper = f->probe ? f->probe->next : NULL;
	if (!c.failed && helper && helper->helper) {
		c.failed = !target_expand(p, helper);
		helper->resolved = false;
	}
	return !c.failed;
}

void target_report_absent(struct program *p, struct probe *pr, struct function *f, struct node **np)
{
	/* All variables count as read: code that read one may have been dropped since, and without it this could succeed now. */
	struct context c = { .program = p, .probe = f ? f->probe : pr, .collected = true, .reads_all = true };
	const struct loc loc = (*np)->loc;
	const int errors = diag_errors(p->reports);

	(*np)->absent = false;
	expand(np, &c);
	if (errors == diag_errors(p->reports))
		error(loc, DIAG_UNSUPPORTED, "an @defined of a value of the script is known too late to decide on this");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names: every NAME gets its symbol, every CALL its function; locals come into being by their first use.
 *
 * A name is, in this order, a parameter, a known local, a global visible from its file, or a new local. Globals of the
 * script are visible in the script only, those of libraries in libraries and most in the script: see is_shared(); private
 * ones in their file. Functions called for the first time bring their library file with them, and with it its globals and
 * probes.
 */
#include <string.h>

#include "lib/status.h"
#include "translator/probe/access.h"
#include "translator/sema/functions.h"
#include "translator/sema/pass.h"
#include "translator/sema/tapset.h"
#include "translator/sema/words.h"
#include "translator/syntax/habits.h"
#include "translator/syntax/tokens.h"

/* The code whose names are being resolved. */
struct scope {
	struct program *program;
	struct function *function; /* NULL: a probe */
	struct probe *probe;       /* whose variables are meant, NULL: no probe's */
	struct symbol *params;
	struct symbol **locals;
	const struct source *file;
	const struct node *call;     /* whose arguments these are, NULL: none */
	const struct node *reported; /* the last call of an unknown function, where its arguments met the report */
	bool condition;              /* a probe condition: globals only */
	bool ok;
};

/* ---- symbols ---- */

static struct symbol *find_symbol(struct symbol *s, const char *name)
{
	while (s && s->name != name)
		s = s->next;
	return s;
}

/* A script sees the globals of libraries, as SystemTap has it, but for those that are private or whose names begin with two
 * underscores; __global_ is how the library's macros call theirs. A library does not see a script's. */
static bool is_shared(const char *name)
{
	return strncmp(name, "__", 2) || !strncmp(name, "__global_", 9);
}

static bool is_private_here(const struct symbol *g, const struct source *file)
{
	return g->is_private && g->file == file;
}

static bool is_own(const struct symbol *g, const struct source *file)
{
	return g->is_private ? g->file == file : g->loc.src && file && g->loc.src->tapset == file->tapset;
}

static bool is_of_library(const struct symbol *g, const struct source *file)
{
	return g->loc.src && g->loc.src->tapset && file && !file->tapset && !g->is_private && is_shared(g->name);
}

static struct symbol *find_visible(const struct program *p, const char *name, const struct source *file,
				   bool (*visible)(const struct symbol *g, const struct source *file))
{
	for (struct symbol *g = p->globals; g; g = g->next)
		if (g->name == name && visible(g, file))
			return g;
	return NULL;
}

/* A file's private one comes first, then the script's own. */
static struct symbol *find_global(const struct scope *sc, const char *name)
{
	const struct source *file = sc->file;
	struct symbol *s = find_visible(sc->program, name, file, is_private_here);

	if (!s)
		s = find_visible(sc->program, name, file, is_own);

	if (s || !file)
		return s;
	if (file->tapset)
		return tapset_need_global(sc->program, name) ? find_visible(sc->program, name, file, is_own) : NULL;
	if (!is_shared(name))
		return NULL;
	tapset_need_global(sc->program, name);
	return find_visible(sc->program, name, file, is_of_library);
}

enum { NAMES_DEFAULT = 10000 }; /* without -DMAXNAMES */

/* Names are found by looking through lists, so their number is bounded. N of WHAT are there; false: one too many, which is
 * reported once, at LOC. */
static bool count_names(struct program *p, int64_t n, const char *what, struct loc loc)
{
	int64_t most = language_limit(&p->language, "MAXNAMES", NAMES_DEFAULT);

	if (n <= most || p->full)
		return n <= most;
	p->full = true;
	error(loc, DIAG_LIMIT, "more than %lld %s", (long long)most, what);
	note(loc, "use an array, or allow more with -DMAXNAMES=%lld", (long long)most * 10);
	return false;
}

/* The first use of an unknown name makes a local of the whole function or handler, as blocks have no scope. */
static struct symbol *new_local(const struct scope *sc, const struct node *n)
{
	struct symbol *s = arena_new(&program_arena, struct symbol), **tail = sc->locals;
	int n_locals = 1;

	s->name = n->name;
	s->loc = n->loc;
	s->file = sc->file;
	for (; *tail; tail = &(*tail)->next)
		n_locals++;
	*tail = s;
	count_names(sc->program, n_locals, "local variables in one function or handler", n->loc);
	return s;
}

static struct symbol *lookup(const struct scope *sc, const char *name)
{
	struct symbol *s = find_symbol(sc->params, name);

	if (!s)
		s = find_symbol(*sc->locals, name);
	return s ? s : find_global(sc, name);
}

/* ---- arity: a scalar has 0 keys; the first use decides ---- */

/* Says how all of the array S is printed. */
static void note_whole_array(const struct symbol *s)
{
	const char *keys = s->arity > 1 ? "[k1" : "key";

	for (int i = 2; i <= s->arity; i++)
		keys = arena_printf(&program_arena, "%s, k%d%s", keys, i, i == s->arity ? "]" : "");
	note(s->loc, "foreach (%s in %s) goes over its elements; an array that the script only writes is printed at the end", keys, s->name);
}

static int list_length(const struct node *n)
{
	int count = 0;

	for (; n; n = n->next)
		count++;
	return count;
}

/* Distinguishes a wrong number of arguments from a wrong name. */
static void report_call(struct scope *sc, const struct node *n)
{
	const int args = list_length(n->list);
	struct nearest near = { .word = n->name };
	const struct function *named;
	bool several;

	sc->ok = false;
	named = function_named(sc->program, n->name, sc->file, &several);
	if (named) {
		if (several)
			error(n->loc, DIAG_ARITY, "no function '%s' takes %d argument%s", n->name, args,
			      args == 1 ? "" : "s");
		else
			error(n->loc, DIAG_ARITY, "function '%s' takes %d argument%s, but %d %s given",
			      n->name, named->n_params, named->n_params == 1 ? "" : "s", args,
			      args == 1 ? "is" : "are");
		if (!habit_note(HABIT_CALLED, n->loc))
			note(n->loc, "write %s", word_call(n->name, named));
		note(named->loc, "'%s' is declared here", n->name);
		return;
	}
	error(n->loc, DIAG_UNDEF_FUNCTION, "no function is named '%s'", n->name);
	if (habit_note(HABIT_CALLED, n->loc) || tapset_note_function(sc->program, n->name, n->loc))
		return;
	if (word_instead(n->name)) {
		habit_say(n->loc, word_instead(n->name));
		return;
	}
	for (const struct function *f = sc->program->functions; f; f = f->next)
		if (!f->is_private || f->file == sc->file)
			nearest_add(&near, f->name);
	tapset_function_names(sc->program, nearest_add_name, &near);
	statement_names(&near);
	for (enum op op = OP_PRINT; op <= OP_SPRINTF; op++)
		nearest_add(&near, op_info[op].lexeme);
	if (nearest_get(&near))
		note(n->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(n->loc, "declare it in the script, or look for one in the library: ktap help functions");
}

/* Whether the node at hand is an argument of a function that does not exist: that is the mistake then, and the only report. */
static bool is_argument_of_unknown(struct scope *sc)
{
	return sc->call && sc->reported != sc->call &&
	       !function_overloads(sc->program, sc->call->name, list_length(sc->call->list), sc->file);
}

static bool set_arity(struct scope *sc, const struct node *n, struct symbol *s, int arity)
{
	if (!s->global)
		return true;
	if (!s->arity_loc.line) {
		s->arity = arity;
		s->arity_loc = n->loc;
		s->array |= arity > 0;
		if (arity || !(s->size || s->wrap))
			return true;
	}
	if (s->arity == arity && (arity || !s->array))
		return true;
	sc->ok = false;
	if (!arity && is_argument_of_unknown(sc)) {
		report_call(sc, sc->call);
		sc->reported = sc->call;
		return false;
	}
	if (!arity)
		error(n->loc, DIAG_ARITY, "'%s' is an array, but no key is given here", s->name);
	else if (!s->arity)
		error(n->loc, DIAG_ARITY, "'%s' is a scalar, but indexed with %d key%s here", s->name,
		      arity, arity > 1 ? "s" : "");
	else
		error(n->loc, DIAG_ARITY, "'%s' has %d key%s, but %d %s given here", s->name, s->arity,
		      s->arity > 1 ? "s" : "", arity, arity > 1 ? "are" : "is");
	note(s->arity_loc, s->arity ? "'%s' was first used with %d key%s here" :
	     s->array ? "'%s' is declared with a size here" : "'%s' was first used as a scalar here",
	     s->name, s->arity, s->arity > 1 ? "s" : "");
	if (!arity)
		note_whole_array(s);
	return false;
}

/* Reports that N means the variable S, which the alias of the probe sets, although the script has a global of that name. False: it has
 * none. */
static bool report_alias_variable(const struct scope *sc, const struct node *n, const struct symbol *s)
{
	const struct symbol *g = s && !s->param ? sc->program->globals : NULL;

	while (g && (strcmp(g->name, n->name) || !is_own(g, sc->file)))
		g = g->next;
	if (!g)
		return false;
	error(n->loc, DIAG_UNDEF_GLOBAL, "'%s' is a variable of the probe's alias here, not the global of that name", n->name);
	note(s->loc, "the alias sets it here");
	note(g->loc, "the global needs another name");
	return true;
}

/* NAME of an array or aggregate: it must be a declared global. WHAT names the use. */
static struct symbol *need_global(struct scope *sc, struct node *n, const char *what)
{
	struct symbol *s = lookup(sc, n->name);
	struct nearest near = { .word = n->name };

	n->sym = s;
	if (s && s->global)
		return s;
	sc->ok = false;
	if (report_alias_variable(sc, n, s))
		return NULL;
	if (s && s->param)
		error(n->loc, DIAG_UNDEF_GLOBAL, "'%s' is a parameter: %s must be global", n->name, what);
	else
		error(n->loc, DIAG_UNDEF_GLOBAL, "'%s' is used as %s, but not declared global", n->name,
		      what);
	for (const struct symbol *g = sc->program->globals; g; g = g->next)
		if (is_own(g, sc->file) || is_of_library(g, sc->file))
			nearest_add(&near, g->name);
	if (nearest_get(&near))
		note(n->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(n->loc, "declare it at top level: global %s", n->name);
	if (!s)
		n->sym = new_local(sc, n);
	return NULL;
}

/* N names an array that is used with ARITY keys. */
static void resolve_array(struct scope *sc, struct node *n, int arity, const char *what)
{
	struct symbol *s = need_global(sc, n, what);

	if (s && arity > (int)(sizeof(s->key_type) / sizeof(s->key_type[0])))
		sc->ok = error(n->loc, DIAG_ARITY, "an array has at most %d keys, but %d are given here",
			       (int)(sizeof(s->key_type) / sizeof(s->key_type[0])), arity);
	else if (s)
		set_arity(sc, n, s, arity);
}

/* N names a variable, which comes into being when nothing else has the name. */
static void resolve_scalar(struct scope *sc, struct node *n)
{
	struct symbol *s = lookup(sc, n->name);

	n->sym = s;
	if (!s && sc->condition) {
		sc->ok = error(n->loc, DIAG_CONDITION, "a probe condition reads globals only, and '%s' is not one",
			       n->name);
		note(n->loc, "declare it at top level: global %s", n->name);
	}
	if (!s)
		n->sym = new_local(sc, n);
	else
		set_arity(sc, n, s, 0);
}

/* ---- the walk ---- */

static void resolve_node(struct node **np, void *data);

static void resolve_lists(struct scope *sc, struct node *n)
{
	for (; n; n = n->next)
		resolve_node(&n, sc);
}

static void resolve_call(struct scope *sc, struct node *n)
{
	const struct node *outer = sc->call;

	sc->call = n;
	resolve_lists(sc, n->list);
	sc->call = outer;
	if (sc->condition) {
		sc->ok = error(n->loc, DIAG_CONDITION, "a probe condition cannot call a function");
		note(n->loc, "test it in the handler: if (!%s(...)) next", n->name);
		return;
	}
	n->func = function_overloads(sc->program, n->name, list_length(n->list), sc->file);
	if (!n->func && sc->reported != n)
		report_call(sc, n);
	else if (sc->probe && function_is_placed(sc->program, n->name))
		n->func = function_for_probe(n->func, sc->probe);
}

/* The array before the variables: a name cannot be both. */
static void resolve_foreach(struct scope *sc, struct node *n)
{
	struct foreach *f = n->foreach;

	if (n->kid[0]->kind == ND_NAME)
		resolve_array(sc, n->kid[0], list_length(f->keys), "an array");
	else
		resolve_node(&n->kid[0], sc);
	if (f->slice && list_length(f->slice) != list_length(f->keys))
		sc->ok = error(n->loc, DIAG_ARITY, "the slice has %d keys, but the loop binds %d",
			       list_length(f->slice), list_length(f->keys));
	for (struct node *k = f->keys; k; k = k->next)
		resolve_scalar(sc, k);
	if (f->value)
		resolve_scalar(sc, f->value);
	resolve_lists(sc, f->slice);
	if (n->kid[1])
		resolve_node(&n->kid[1], sc);
	resolve_node(&n->kid[2], sc);
}

static struct node *statement_of(struct node *value)
{
	struct node *s = node_new(ND_EXPR, value->loc);

	s->kid[0] = value;
	return s;
}

/* The statement `c ? f() : g()`: what is called may return nothing. */
static void choose_statement(struct node *n)
{
	struct node *choice = n->kid[0];

	if (choice->kid[1]->kind != ND_CALL && choice->kid[2]->kind != ND_CALL)
		return;
	n->kind = ND_IF;
	n->kid[0] = choice->kid[0];
	n->kid[1] = statement_of(choice->kid[1]);
	n->kid[2] = statement_of(choice->kid[2]);
}

static void resolve_node(struct node **np, void *data)
{
	struct scope *sc = data;
	struct node *n = *np;

	if (n->kind == ND_EXPR && n->kid[0]->kind == ND_COND)
		choose_statement(n);

	if (sc->program->full)
		return;
	reader_name(n);
	switch (n->kind) {
	case ND_NAME:
		resolve_scalar(sc, n);
		return;
	case ND_INDEX:
	case ND_IN:
		if (n->kid[0]->kind == ND_NAME)
			resolve_array(sc, n->kid[0], list_length(n->list), "an array");
		else
			resolve_node(&n->kid[0], sc);
		resolve_lists(sc, n->list);
		return;
	case ND_CALL:
		resolve_call(sc, n);
		return;
	case ND_FOREACH:
		resolve_foreach(sc, n);
		return;
	case ND_DELETE:
		/* `delete a` empties a whole array: it does not give the arity. */
		if (n->kid[0]->kind == ND_NAME) {
			struct symbol *s = lookup(sc, n->kid[0]->name);

			n->kid[0]->sym = s ? s : new_local(sc, n->kid[0]);
			return;
		}
		break;
	case ND_STAT:
	case ND_HIST:
		if (n->kid[0]->kind == ND_NAME && need_global(sc, n->kid[0], "an aggregate"))
			set_arity(sc, n->kid[0], n->kid[0]->sym, 0);
		if (n->kid[0]->kind == ND_NAME)
			return;
		break;
	case ND_ASSIGN:
		if (n->op == OP_STAT_ADD && n->kid[0]->kind == ND_NAME) {
			if (need_global(sc, n->kid[0], "an aggregate"))
				set_arity(sc, n->kid[0], n->kid[0]->sym, 0);
			resolve_node(&n->kid[1], sc);
			return;
		}
		break;
	case ND_TARGET:
		/* In a probe's copy only code that is never reached has no access: target.c. */
		if (!n->access && sc->function && !sc->probe) {
			sc->ok = error(n->loc, DIAG_TARGET_VAR, "'%s' is used in a function, where no probe tells what it is",
				       n->name);
			note(n->loc, "pass it to '%s' as an argument", sc->function->name);
		}
		break;
	default: /* nothing to do for other kinds */
		break;
	}
	node_kids(n, resolve_node, sc);
}

static bool resolve_function(struct program *p, struct function *f)
{
	struct scope sc = {
		.program = p,
		.function = f,
		.probe = f->probe,
		.params = f->params,
		.locals = &f->locals,
		.file = f->file,
		.ok = true,
	};

	f->resolved = true;
	for (const struct symbol *a = f->params; a; a = a->next)
		if (find_symbol(a->next, a->name))
			sc.ok = error(find_symbol(a->next, a->name)->loc, DIAG_DUPLICATE,
				      "'%s' has two parameters named '%s'", f->name, a->name);
	for (struct symbol *a = f->params; a; a = a->next)
		a->param = true;
	if (!target_expand_function(p, f))
		return false;
	if (f->body)
		resolve_node(&f->body, &sc);
	return sc.ok;
}

static bool resolve_probe(struct program *p, struct probe *pr, struct probe *previous)
{
	struct scope sc = { .program = p, .probe = pr, .locals = &pr->locals, .file = pr->def->file, .ok = true };

	pr->resolved = true;
	if (pr->condition) {
		sc.condition = true;
		resolve_node(&pr->condition, &sc);
		sc.condition = false;
	}
	/* Places that share a body share its locals. */
	if (previous && previous->body == pr->body) {
		pr->locals = previous->locals;
		return sc.ok;
	}
	if (pr->alias_chain) {
		for (struct node *part = pr->body->list; part; part = part->next) {
			sc.file = part->loc.src;
			node_kids(part, resolve_node, &sc);
		}
	} else {
		resolve_node(&pr->body, &sc);
	}
	return sc.ok;
}

bool resolve_expression(struct program *p, struct probe *pr, struct function *f, struct node **np)
{
	struct scope sc = {
		.program = p,
		.function = f,
		.probe = f ? f->probe : pr,
		.params = f ? f->params : NULL,
		.locals = f ? &f->locals : &pr->locals,
		.file = (*np)->loc.src,
		.ok = true,
	};

	resolve_node(np, &sc);
	return sc.ok;
}

/* ---- the pass ---- */

/* Two globals of one name that some file sees both. */
static bool check_globals(const struct program *p)
{
	bool ok = true;

	for (const struct symbol *a = p->globals; a; a = a->next)
		for (const struct symbol *b = p->globals; b != a; b = b->next) {
			if (a->name != b->name || !is_own(b, a->loc.src) || !is_own(a, b->loc.src))
				continue;
			ok = error(a->loc, DIAG_DUPLICATE, "global '%s' is declared twice", a->name);
			note(b->loc, "first declared here");
			break;
		}
	return ok;
}

/* As in SystemTap, functions that nobody calls are not checked. */
static bool wanted(const struct function *f)
{
	return f->used && (!f->placed || f->probe);
}

static bool mark_called(struct node *n, void *data)
{
	if (n->kind == ND_CALL)
		for (struct function *f = n->func; f; f = f->overload)
			f->used = true; /* for wanted(); elide_program() corrects it */
	return true;
}

static void init_global(struct symbol *g)
{
	g->global = true;
	if (g->size || g->wrap)
		g->array = true;
	else if (g->init && !g->arity_loc.line)
		g->arity_loc = g->loc; /* only scalars have a value */
}

/* Resolves what was added since the last call; true while there is something new. */
static bool resolve_round(struct program *p, bool *ok)
{
	struct probe *previous = NULL;
	bool more = false;

	for (struct symbol *g = p->globals; g; g = g->next)
		init_global(g);
	for (struct probe_def *def = p->probe_defs; def; def = def->next)
		if (!def->expanded) {
			*ok &= expand_probes(p, def);
			more = true;
		}
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		status_tick();
		if (pr->resolved)
			continue;
		*ok &= resolve_probe(p, pr, previous);
		if (!previous || previous->body != pr->body)
			node_visit(pr->body, mark_called, NULL);
		more = true;
	}
	for (struct function *f = p->functions; f; f = f->next) {
		if (f->resolved || !wanted(f))
			continue;
		*ok &= resolve_function(p, f);
		if (f->body)
			node_visit(f->body, mark_called, NULL);
		more = true;
	}
	return more;
}

bool resolve_program(struct program *p)
{
	bool ok = true;
	int n = 0;

	for (const struct symbol *g = p->globals; g; g = g->next)
		if (!count_names(p, ++n, "globals", g->loc))
			return false;
	while (!p->full && resolve_round(p, &ok))
		continue;
	if (!functions_bounded(p))
		return false;
	ok &= !p->full && check_globals(p);
	elide_program(p);
	functions_order(p);
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations at top level: probes, aliases, globals, functions, embedded C. */
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "translator/syntax/actions.h"

/* ---- probes and aliases ---- */

void probe_def_add(struct unit *u, struct loc loc, const struct point_list *points, struct node *body)
{
	struct probe_def *def = arena_new(&program_arena, struct probe_def);

	def->points = points_finish(points);
	def->body = body;
	def->loc = loc;
	def->file = u->src;
	check_body(u, body, false);
	for (const struct probe_point *pp = points->first; pp; pp = pp->next)
		check_body(u, pp->condition, false);
	*u->probe_end = def;
	u->probe_end = &def->next;
}

/* The one point left of `=`, which is a name. */
static void check_alias_name(const struct point_list *list)
{
	const struct probe_point *pp = list->first;

	if (list->n > 1) {
		error(pp->next->loc, DIAG_SYNTAX, "an alias has one name");
		note(pp->next->loc, "write one 'probe NAME = ...' for each");
	} else if (pp->optional || pp->condition) {
		error(pp->loc, DIAG_SYNTAX, "the name of an alias cannot be optional or have a condition");
		note(pp->loc, "put it on the probe points right of '='");
	}
	for (const struct component *c = pp->parts; c; c = c->next) {
		if (strchr(c->name, '*'))
			error(c->loc, DIAG_SYNTAX, "the name of an alias cannot hold '*'");
		if (c->arg)
			error(c->loc, DIAG_SYNTAX, "the name of an alias cannot have an argument");
	}
}

void alias_add(struct unit *u, const struct token *op, const struct point_list *name,
	       const struct point_list *points, struct node **bodies)
{
	struct alias *a = arena_new(&program_arena, struct alias);

	a->append = op->text[0] == '+';
	check_alias_name(name);
	a->name = points_finish(name)->parts;
	a->points = points_finish(points);
	a->prologue = a->append ? NULL : bodies[0];
	a->epilogue = a->append ? bodies[0] : bodies[1];
	if (a->append && bodies[1]) {
		error(op->loc, DIAG_SYNTAX, "'+=' defines an alias by its epilogue, and has no prologue");
		note(op->loc, "with '=', the first block is the prologue and the second the epilogue");
	}
	a->loc = name->first->loc;
	a->file = u->src;
	check_body(u, bodies[0], false);
	check_body(u, bodies[1], false);
	for (const struct probe_point *pp = points->first; pp; pp = pp->next)
		check_body(u, pp->condition, false);
	*u->alias_end = a;
	u->alias_end = &a->next;
}

static bool guru_missing(const struct unit *u, const struct token *t)
{
	if (u->opt->guru || u->src->tapset)
		return false;
	error(t->loc, DIAG_GURU, "embedded C needs -g");
	note(t->loc, "it can crash the system; run ktap with -g if you vouch for it");
	return true;
}

void embedded_add(struct unit *u, const struct token *t)
{
	struct embedded_c *e = arena_new(&program_arena, struct embedded_c);

	guru_missing(u, t);
	e->text = t->text;
	e->loc = t->loc;
	*u->embedded_end = e;
	u->embedded_end = &e->next;
}

/* ---- globals ---- */

struct symbol_list symbols_join(const struct symbol_list *a, const struct symbol_list *b)
{
	struct symbol_list list = *a;

	list.last->next = b->first;
	list.last = b->last;
	list.n += b->n;
	return list;
}

static struct symbol_list one_symbol(struct unit *u, const struct token *name, enum type type)
{
	struct symbol *s = arena_new(&program_arena, struct symbol);

	s->name = name->text;
	s->loc = name->loc;
	s->type = type;
	s->file = u->src;
	return (struct symbol_list){ s, s, 1 };
}

struct symbol_list make_global(struct unit *u, const struct token *name, bool wrap, const struct node *size,
			       struct node *init)
{
	struct symbol_list list = one_symbol(u, name, TY_UNKNOWN);
	struct symbol *s = list.first;

	s->global = true;
	s->wrap = wrap;
	s->init = init;
	s->array = size;
	s->size = size ? size->num : 0;
	if (size && (size->kind != ND_NUM || size->num < 1 || size->num > INT_MAX))
		error(size->loc, DIAG_SYNTAX, "the size of an array is a number from 1 to %d", INT_MAX);
	if (init && (size || wrap)) {
		error(init->loc, DIAG_SYNTAX, "only a scalar can have an initial value");
		note(name->loc, "'%s' is an array; fill it in a begin probe", s->name);
	}
	return list;
}

struct symbol_list make_param(struct unit *u, const struct token *name, enum type type, struct loc type_loc)
{
	struct symbol_list list = one_symbol(u, name, type);

	list.first->param = true;
	if (type != TY_UNKNOWN)
		list.first->type_loc = type_loc;
	return list;
}

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->name < y->name ? -1 : x->name > y->name;
}

void globals_add(struct unit *u, const struct symbol_list *list, bool is_private)
{
	for (struct symbol *s = list->first; s; s = s->next) {
		const struct symbol *other = *(struct symbol **)tsearch(s, &u->global_names, by_name);

		s->is_private = is_private;
		if (other != s) {
			error(s->loc, DIAG_DUPLICATE, "'%s' is declared twice", s->name);
			note(other->loc, "first declared %shere", other->is_private != is_private ?
			     (other->is_private ? "private " : "global ") : "");
		}
	}
	*u->global_end = list->first;
	u->global_end = &list->last->next;
}

/* ---- functions ---- */

struct function *make_function(struct unit *u, const struct token *name, enum type type, struct loc type_loc,
			       const struct symbol_list *params)
{
	struct function *f = arena_new(&program_arena, struct function);

	f->name = name->text;
	f->loc = name->loc;
	f->type = type;
	f->type_declared = type != TY_UNKNOWN;
	f->type_loc = f->type_declared ? type_loc : (struct loc){ 0 };
	f->params = params->first;
	f->n_params = params->n;
	f->file = u->src;
	f->priority = u->src->tapset;
	for (const struct symbol *a = f->params; a && params->n <= PRINT_ARGS_MAX; a = a->next) {
		for (const struct symbol *b = a->next; b; b = b->next) {
			if (a->name != b->name)
				continue;
			error(b->loc, DIAG_DUPLICATE, "parameter '%s' of '%s' is declared twice", b->name, f->name);
			note(a->loc, "first declared here");
		}
	}
	if (params->n > PRINT_ARGS_MAX)
		error(f->loc, DIAG_ARITY, "a function has at most %d parameters, '%s' has %d", PRINT_ARGS_MAX,
		      f->name, params->n);
	return f;
}

/* Returns the text after WORD in the comment of embedded C that begins with it, or NULL. */
static const char *tag(const char *c_body, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = c_body; (s = strstr(s, "/* ")); s += 3) {
		if (!strncmp(s + 3, word, len) && s[3 + len] == ' ')
			return s + 3 + len + 1;
	}
	return NULL;
}

/* Which name the text after the tag `name` is. */
static enum kt_name_kind name_kind(const char *text)
{
	if (!text)
		return KT_NAME_NONE;
	if (!strncmp(text, "lines", 5))
		return KT_NAME_LINES;
	return !strncmp(text, "symbol", 6) ? KT_NAME_SYMBOL : KT_NAME_DATA;
}

/* "longest N" or "longest PARAMETER": bytes of the strings that F returns, at most. */
static void read_longest(struct function *f)
{
	const char *longest = tag(f->c_body, "longest");

	if (!longest)
		return;
	f->longest = atoi(longest);
	if (!f->longest)
		f->longest_param = intern_n(longest, strcspn(longest, " *"));
}

/* Embedded C says in comments what it is: "pure", "stable", "guru"; and in the library "kit" or "kit NAME", for a function that the
 * runtime implements, and "name symbol" or "name data", for one whose text the loader can make from its argument, an address, or "name lines" for
 * __ustack_lines(); and "hashed", for one that the runtime also implements as kt_hashed_NAME. */
static void read_tags(struct unit *u, struct function *f)
{
	const char *kit = u->src->tapset ? tag(f->c_body, "kit") : NULL;
	size_t len = kit ? strcspn(kit, " *") : 0;

	f->kit = kit;
	f->kit_name = len ? intern_n(kit, len) : f->name;
	f->pure = tag(f->c_body, "pure");
	f->guru = tag(f->c_body, "guru");
	f->stable = tag(f->c_body, "stable");
	f->hashed = kit && tag(f->c_body, "hashed");
	if (kit)
		read_longest(f);
	f->named = name_kind(kit ? tag(f->c_body, "name") : NULL);
}

struct function *function_body(struct unit *u, struct function *f, const struct token *priority,
			       struct node *body, const struct token *c_body)
{
	if (priority && (priority->bad_number || priority->num < 1 || priority->num > INT_MAX))
		error(priority->loc, DIAG_NUMBER, "a priority is a number from 1 to %d", INT_MAX);
	else if (priority)
		f->priority = (int)priority->num;
	f->body = body;
	if (body)
		check_body(u, body, true);
	if (!c_body)
		return f;
	guru_missing(u, c_body);
	f->c_body = c_body->text;
	read_tags(u, f);
	return f;
}

void function_add(struct unit *u, struct function *f, bool is_private)
{
	f->is_private = is_private;
	*u->function_end = f;
	u->function_end = &f->next;
}

struct reports *program_reports(const struct program *p)
{
	return p->reports ? p->reports : diag_process();
}

struct program program_like(const struct program *p)
{
	return (struct program){
		.platform = p->platform, .language = p->language, .output = p->output, .session = p->session, .build = p->build,
		.reports = p->reports, .opened = p->opened,
	};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preprocessor: macros, %( %? %: %) conditionals, script arguments. Token array in, token
 * array out, in one pass: what a condition leaves out is not expanded, so it may define macros or name arguments that
 * are not there.
 *
 * Every token goes through put(), which bounds how many are made of macros and kept conditionals; nesting of macros and
 * conditionals is bounded by the
 * frames. After an error the tokens concerned are left out and the pass goes on.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/map.h"
#include "translator/syntax/condition.h"
#include "translator/syntax/grammar.h"
#include "translator/syntax/habits.h"

enum {
	FRAMES_MAX = 100, /* macros in macros, conditionals in conditionals */
	PARAMS_MAX = 100,
};

struct macro {
	const char *name;        /* with its @ */
	struct loc loc;
	const char **params;     /* with their @ */
	int n_params;            /* -1: none, and no parentheses at the invocation */
	const struct token *body;
	size_t n_body;
	bool library;            /* from a .stpm file */
	bool active;             /* being expanded */
};

/* One level of expansion. */
struct frame {
	const struct macro *macro;         /* NULL: a conditional, or the text itself */
	const struct tokens *args;         /* of the macro, expanded */
	const struct expansion *via;
	struct loc loc;                    /* of all tokens, when src is set: bodies of library macros */
	int depth;
	const struct frame *up;
};

/* A part of a token array. */
struct range {
	const struct token *at, *end;
};

static void expand(struct unit *u, struct range in, const struct frame *f, struct tokens *out);

/* ---- macros by name ---- */

static struct macro *find_in(const struct map *macros, const char *name)
{
	const struct map_row *r = map_find(macros, name, 0);

	return r ? r->value : NULL;
}

static struct macro *find_macro(const struct unit *u, const char *name)
{
	struct macro *m = find_in(&u->macros, name);

	return m ? m : find_in(&u->program->macros, name);
}

static void add_names(const struct map *macros, struct nearest *s)
{
	for (size_t i = 0; i < macros->n; i++)
		nearest_add(s, macros->row[i].name);
}

/* ---- ranges ---- */

static struct range all_of(const struct tokens *ts)
{
	return ts->n ? (struct range){ ts->v, ts->v + ts->n } : (struct range){ NULL, NULL };
}

static bool is_open(int kind)
{
	return kind == '(' || kind == '[' || kind == '{' || kind == PP_IF;
}

static bool is_close(int kind)
{
	return kind == ')' || kind == ']' || kind == '}' || kind == PP_END;
}

/* The token of kind STOP (or OTHER) that belongs to the %( before AT; NULL: there is none. */
static const struct token *find_matching(struct range in, int stop, int other)
{
	int depth = 0;

	for (const struct token *t = in.at; t < in.end; t++) {
		if (!depth && (t->kind == stop || t->kind == other))
			return t;
		if (t->kind == PP_IF)
			depth++;
		else if (t->kind == PP_END && !depth--)
			return NULL;
	}
	return NULL;
}

static void put(struct unit *u, const struct token *t, const struct frame *f, struct tokens *out)
{
	struct token *added;

	if (f->depth && ++u->expanded > TOKENS_MAX) {
		const struct expansion *via = f->via;

		while (via && via->up)
			via = via->up;
		if (!u->stopped)
			error(via ? via->use : t->loc, DIAG_MACRO, "macros expand to more than %d tokens", TOKENS_MAX);
		u->stopped = true;
		return;
	}
	added = tokens_add(out, t);
	if (f->via && !added->via) {
		added->via = f->via;
		if (f->loc.src)
			added->loc = f->loc;
	}
}

static bool too_deep(struct unit *u, const struct frame *f, struct loc loc)
{
	if (f->depth < FRAMES_MAX)
		return false;
	error(loc, DIAG_PREPROCESS, "macros or conditionals are nested deeper than %d", FRAMES_MAX);
	return true;
}

/* Adjacent string literals become one, in place. */
static void join_strings(struct tokens *ts)
{
	size_t to = 0;

	for (size_t i = 0; i < ts->n;) {
		size_t end = i, len = 0;
		char *text, *p;

		while (end < ts->n && ts->v[end].kind == STRING)
			len += ts->v[end++].len;
		ts->v[to++] = ts->v[i];
		if (end <= i + 1) {
			i++;
			continue;
		}
		p = text = arena_alloc(&program_arena, len + 1);
		for (; i < end; i++)
			p = mempcpy(p, ts->v[i].text, ts->v[i].len);
		ts->v[to - 1].text = text;
		ts->v[to - 1].len = len;
	}
	ts->n = to;
}

/* ---- script arguments ---- */

static long arg_number(const struct token *t)
{
	char *end;
	long n = strtol(t->text + 1, &end, 10);

	return *end || n < 1 ? 0 : n;
}

static void mark_used(struct unit *u, const struct token *t)
{
	long n = arg_number(t);

	if (u->opt->arg_used && n >= 1 && n <= u->opt->argc)
		u->opt->arg_used[n - 1] = true;
}

/* Arguments that a dropped branch names count as used: another kernel takes that branch. */
static void skip(struct unit *u, struct range in)
{
	for (const struct token *t = in.at; t < in.end; t++) {
		if (t->kind == SCRIPT_ARG)
			mark_used(u, t);
	}
}

static void put_string(struct unit *u, const struct token *at, const char *s, const struct frame *f,
		       struct tokens *out)
{
	struct token t = *at;

	t.kind = STRING;
	t.text = arena_strdup(&program_arena, s);
	t.len = strlen(s);
	put(u, &t, f, out);
}

/* $N: the argument's text is read as if it stood here. */
static void paste(struct unit *u, const struct token *at, const char *s, const struct frame *f, struct tokens *out)
{
	struct expansion *via = arena_new(&program_arena, struct expansion);
	struct frame inner = { .macro = f->macro, .args = f->args, .via = via, .depth = f->depth + 1, .up = f };
	struct tokens ts = { 0 };

	*via = (struct expansion){ .macro = at->text, .use = at->loc, .up = f->via };
	if (too_deep(u, f, at->loc))
		return;
	scan_text(u, s, strlen(s), &at->loc, &ts);
	for (size_t i = 0; i < ts.n; i++) {
		if (ts.v[i].kind == SCRIPT_ARG) {
			error(at->loc, DIAG_SCRIPT_ARG, "script argument %s names another one, '%s'", at->text,
			      ts.v[i].text);
			ts.n = 0;
		}
	}
	if (ts.n)
		ts.v[0].glued = at->glued;
	expand(u, all_of(&ts), &inner, out);
	tokens_deinit(&ts);
}

static void script_arg(struct unit *u, const struct token *t, const struct frame *f, struct tokens *out)
{
	const struct parse_options *opt = u->opt;
	long n = arg_number(t);

	if (t->text[1] == '#' && t->text[0] == '@') {
		put_string(u, t, arena_printf(&program_arena, "%d", opt->argc), f, out);
	} else if (t->text[1] == '#') {
		struct token number = *t;

		number.kind = NUMBER;
		number.num = opt->argc;
		number.text = intern(arena_printf(&program_arena, "%d", opt->argc));
		number.len = strlen(number.text);
		put(u, &number, f, out);
	} else if (n < 1 || n > opt->argc) {
		struct token zero = *t;

		error(t->loc, DIAG_SCRIPT_ARG, "there is no script argument %s", t->text);
		note(t->loc, "%d %s given; arguments stand after the script on the command line", opt->argc,
		     opt->argc == 1 ? "was" : "were");
		/* Something of the right kind, so that nothing else is wrong about this place. */
		if (t->text[0] == '@') {
			put_string(u, t, "", f, out);
			return;
		}
		zero.kind = NUMBER;
		put(u, &zero, f, out);
	} else {
		mark_used(u, t);
		if (t->text[0] == '@')
			put_string(u, t, opt->argv[n - 1], f, out);
		else
			paste(u, t, opt->argv[n - 1], f, out);
	}
}

/* ---- definitions ---- */

/* (a, b): fills M; returns what follows, NULL after an error. */
static const struct token *read_params(struct macro *m, const struct token *t, const struct token *end)
{
	const char *names[PARAMS_MAX];
	int n = 0;

	m->n_params = 0;
	if (t < end && t->kind == ')')
		return t + 1;
	for (;; t++) {
		if (t >= end || t->kind != IDENT) {
			error(t < end ? t->loc : m->loc, DIAG_MACRO, "expected the name of a parameter of macro '%s'",
			      m->name);
			return NULL;
		}
		if (n == PARAMS_MAX) {
			error(t->loc, DIAG_MACRO, "macro '%s' has more than %d parameters", m->name, PARAMS_MAX);
			return NULL;
		}
		names[n++] = intern(arena_printf(&program_arena, "@%s", t->text));
		t++;
		if (t < end && t->kind == ')')
			break;
		if (t >= end || t->kind != ',') {
			error(t < end ? t->loc : m->loc, DIAG_MACRO, "expected ',' or ')' in the parameters of macro '%s'",
			      m->name);
			return NULL;
		}
	}
	m->n_params = n;
	m->params = arena_array(&program_arena, const char *, (size_t)n);
	memcpy(m->params, names, (size_t)n * sizeof(*names));
	return t + 1;
}

static void copy_body(struct unit *u, struct macro *m, struct range body)
{
	size_t n = (size_t)(body.end - body.at);
	struct token *copy = arena_alloc(&program_arena, (n + 1) * sizeof(*copy));

	memcpy(copy, body.at, n * sizeof(*copy));
	m->body = copy;
	m->n_body = n;
	for (size_t i = 0; i < n; i++) {
		if (copy[i].kind == AT_NAME && !strcmp(copy[i].text, "@define"))
			error(copy[i].loc, DIAG_MACRO, "a macro cannot define a macro");
	}
}

static void add_macro(struct unit *u, struct macro *m)
{
	struct map *macros = m->library ? &u->program->macros : &u->macros;
	const struct macro *old = find_in(macros, m->name);
	struct token t = { .text = m->name };

	if (!strcmp(m->name, "@define")) {
		error(m->loc, DIAG_MACRO, "'@define' itself cannot be redefined");
		return;
	}
	if (old && (!m->library || old->loc.src == m->loc.src)) {
		error(m->loc, DIAG_MACRO, "macro '%s' is defined twice", m->name);
		note(old->loc, "first defined here");
		return;
	}
	if (at_operator(&t))
		warning(m->loc, DIAG_MACRO, "macro '%s' hides the operator of this name", m->name);
	map_add(macros, m->name, 0)->value = m;
}

/* Returns what follows a definition whose head is malformed, from T on: the body, if there is one, must cause no more errors. */
static const struct token *skip_definition(const struct token *t, const struct token *end)
{
	const struct token *body = t, *close = NULL;

	while (body < end && body->kind != PP_IF && body->kind != PROBE && body->kind != FUNCTION && body->kind != GLOBAL)
		body++;
	if (body < end && body->kind == PP_IF)
		close = find_matching((struct range){ body + 1, end }, PP_END, PP_END);
	return close ? close + 1 : t;
}

/* @define NAME[(params)] %( body %), T being the token after @define. Returns what follows. */
static const struct token *define(struct unit *u, const struct token *t, const struct token *end)
{
	struct macro *m = arena_new(&program_arena, struct macro);
	const struct token *at = t - 1, *close;

	if (t >= end || (t->kind != IDENT && !(t->kind >= PROBE && t->kind <= CATCH))) {
		error(at->loc, DIAG_MACRO, "expected the name of a macro after '@define'");
		return skip_definition(t, end);
	}
	m->name = intern(arena_printf(&program_arena, "@%s", t->text));
	m->loc = t->loc;
	m->n_params = -1;
	m->library = u->macro_file;
	t++;
	if (t < end && t->kind == '(')
		t = read_params(m, t + 1, end);
	if (!t)
		return skip_definition(at + 1, end);
	if (t >= end || t->kind != PP_IF) {
		error(t < end ? t->loc : m->loc, DIAG_MACRO, "expected '%%(' and the body of macro '%s'", m->name);
		return skip_definition(t, end);
	}
	close = find_matching((struct range){ t + 1, end }, PP_END, PP_END);
	if (!close) {
		error(t->loc, DIAG_MACRO, "the body of macro '%s' is not closed", m->name);
		note(t->loc, "it ends with '%%)'");
		u->cut = true;
		return end;
	}
	copy_body(u, m, (struct range){ t + 1, close });
	add_macro(u, m);
	return close + 1;
}

/* ---- invocations ---- */

/* Splits the arguments of an invocation and expands each where it stands. T is after `(`; returns what follows `)`. */
static const struct token *read_args(struct unit *u, const struct macro *m, const struct token *t,
				     const struct token *end, const struct frame *f, struct tokens *args, int *ret_n)
{
	const struct token *start = t;
	int depth = 0, n = 0;

	for (; t < end; t++) {
		bool last = !depth && t->kind == ')';

		if (last || (!depth && t->kind == ',')) {
			if (n < m->n_params)
				expand(u, (struct range){ start, t }, f, &args[n]);
			if (!(last && !n && t == start))
				n++;
			start = t + 1;
		}
		if (last) {
			*ret_n = n;
			return t + 1;
		}
		depth += is_open(t->kind) - is_close(t->kind);
	}
	return NULL;
}

static void expand_body(struct unit *u, struct macro *m, const struct token *at, const struct tokens *args,
			const struct frame *f, struct tokens *out)
{
	struct expansion *via = arena_new(&program_arena, struct expansion);
	struct frame inner = { .macro = m, .args = args, .via = via, .depth = f->depth + 1, .up = f };

	*via = (struct expansion){ m->name, at->loc, m->loc, f->via };
	/* A defect in a library macro is shown where the script uses it. */
	if (f->loc.src)
		inner.loc = f->loc;
	else if (m->library)
		inner.loc = at->loc;
	m->active = true;
	expand(u, (struct range){ m->body, m->body + m->n_body }, &inner, out);
	m->active = false;
}

/* An operand in the place of an expansion that failed, so that nothing else is wrong there. */
static void put_operand(struct unit *u, const struct token *t, const struct frame *f, struct tokens *out)
{
	struct token name = *t;

	name.kind = IDENT;
	put(u, &name, f, out);
}

static const struct token *invoke(struct unit *u, struct macro *m, const struct token *t, const struct token *end,
				  const struct frame *f, struct tokens *out)
{
	const struct token *at = t++;
	struct tokens *args = NULL;
	int n = 0;

	if (m->active) {
		error(at->loc, DIAG_MACRO, "macro '%s' expands to itself", m->name);
		put_operand(u, at, f, out);
		return t;
	}
	if (too_deep(u, f, at->loc))
		return t;
	if (m->n_params < 0) {
		expand_body(u, m, at, NULL, f, out);
		return t;
	}
	if (t >= end || t->kind != '(') {
		error(at->loc, DIAG_MACRO, "macro '%s' takes %d argument%s in parentheses", m->name, m->n_params,
		      m->n_params == 1 ? "" : "s");
		note(m->loc, "defined here");
		put_operand(u, at, f, out);
		return t;
	}
	args = xmalloc((size_t)(m->n_params + 1) * sizeof(*args));
	memset(args, 0, (size_t)(m->n_params + 1) * sizeof(*args));
	t = read_args(u, m, t + 1, end, f, args, &n);
	if (!n && m->n_params == 1) /* `@x()`: one argument, which is empty */
		n = 1;
	if (!t) {
		error(at->loc, DIAG_MACRO, "the arguments of macro '%s' have no end", m->name);
		note(at->loc, "a ')' is missing");
		u->cut = true;
		t = end;
	} else if (n != m->n_params) {
		error(at->loc, DIAG_MACRO, "macro '%s' takes %d argument%s, not %d", m->name, m->n_params,
		      m->n_params == 1 ? "" : "s", n);
		note(m->loc, "defined here");
		put_operand(u, at, f, out);
	} else {
		expand_body(u, m, at, args, f, out);
	}
	for (int i = 0; i < m->n_params; i++)
		tokens_deinit(&args[i]);
	free(args);
	return t;
}

static int param_index(const struct frame *f, const char *name)
{
	for (int i = 0; f->macro && i < f->macro->n_params; i++) {
		if (f->macro->params[i] == name)
			return i;
	}
	return -1;
}

static void unknown_at(struct unit *u, const struct token *t, bool called, const struct frame *f)
{
	struct nearest s = { .word = t->text };
	const char *near;

	if (called)
		at_operator_names(nearest_add_name, &s);
	add_names(&u->macros, &s);
	add_names(&u->program->macros, &s);
	for (int i = 0; f->macro && i < f->macro->n_params; i++)
		nearest_add(&s, f->macro->params[i]);
	near = nearest_get(&s);
	error(t->loc, DIAG_MACRO, "there is no operator or macro '%s'", t->text);
	if (near)
		note(t->loc, "did you mean '%s'?", near);
	else if (!habit_note(called ? HABIT_CALLED : HABIT_MAP, t->loc))
		note(t->loc, "macros are defined with '@define NAME %%( ... %%)'");
}

/* @name: a parameter, a macro, an operator of the language. Returns what follows. */
static const struct token *at_name(struct unit *u, const struct token *t, const struct token *end,
				   const struct frame *f, struct tokens *out)
{
	int param = param_index(f, t->text);
	struct macro *m = param < 0 ? find_macro(u, t->text) : NULL;
	struct token op = *t;

	if (param >= 0) {
		for (size_t i = 0; i < f->args[param].n; i++)
			put(u, &f->args[param].v[i], f, out);
		return t + 1;
	}
	if (m)
		return invoke(u, m, t, end, f, out);
	if (!strcmp(t->text, "@define")) {
		if (f->macro)
			return t + 1; /* reported with the macro that holds it */
		return define(u, t + 1, end);
	}
	if (at_operator(&op)) {
		put(u, &op, f, out);
		return t + 1;
	}
	unknown_at(u, t, t + 1 < end && t[1].kind == '(', f);
	put_operand(u, t, f, out);
	return t + 1;
}

/* ---- conditionals ---- */

/* %( condition %? tokens %: tokens %), T being the `%(`. Returns what follows. */
static const struct token *conditional(struct unit *u, const struct token *t, const struct token *end,
				       const struct frame *f, struct tokens *out)
{
	struct frame inner = *f;
	const struct token *then = find_matching((struct range){ t + 1, end }, PP_THEN, PP_THEN);
	const struct token *other, *close, *stray;
	struct tokens cond = { 0 };
	bool yes;

	if (!then) {
		error(t->loc, DIAG_PREPROCESS, "'%%(' without its '%%?'");
		note(t->loc, "a conditional is '%%( condition %%? tokens %%: tokens %%)'");
		close = find_matching((struct range){ t + 1, end }, PP_END, PP_END);
		return close ? close + 1 : end;
	}
	other = find_matching((struct range){ then + 1, end }, PP_ELSE, PP_END);
	close = other && other->kind == PP_ELSE ?
		find_matching((struct range){ other + 1, end }, PP_END, PP_END) : other;
	if (!close) {
		error(t->loc, DIAG_PREPROCESS, "the conditional that begins here has no '%%)'");
		u->cut = true;
		return end;
	}
	stray = find_matching((struct range){ then + 1, close }, PP_THEN, PP_THEN);
	if (stray) {
		error(stray->loc, DIAG_PREPROCESS, "a second '%%?' in one conditional");
		note(t->loc, "it begins here; what is between '%%?' and '%%)' is divided by '%%:'");
		return close + 1;
	}
	if (too_deep(u, f, t->loc))
		return close + 1;
	inner.depth++;
	expand(u, (struct range){ t + 1, then }, &inner, &cond);
	join_strings(&cond);
	yes = condition_holds(u, cond.v, cond.n, t->loc);
	tokens_deinit(&cond);
	if (yes) {
		expand(u, (struct range){ then + 1, other }, &inner, out);
		skip(u, (struct range){ other, close });
	} else {
		skip(u, (struct range){ then + 1, other });
		if (other < close)
			expand(u, (struct range){ other + 1, close }, &inner, out);
	}
	return close + 1;
}

/* ---- all of it ---- */

static void stray(const struct token *t)
{
	error(t->loc, DIAG_PREPROCESS, "'%s' outside a conditional", t->text);
	note(t->loc, "a conditional is '%%( condition %%? tokens %%: tokens %%)'");
}

static void expand(struct unit *u, struct range in, const struct frame *f, struct tokens *out)
{
	const struct token *t = in.at;

	while (t < in.end && !unit_gave_up(u)) {
		switch (t->kind) {
		case AT_NAME:
			t = at_name(u, t, in.end, f, out);
			break;
		case SCRIPT_ARG:
			script_arg(u, t++, f, out);
			break;
		case PP_IF:
			t = conditional(u, t, in.end, f, out);
			break;
		case PP_THEN: case PP_ELSE: case PP_END:
			stray(t++);
			break;
		default:
			put(u, t++, f, out);
		}
	}
}

void preprocess(struct unit *u, const struct tokens *in, struct tokens *out)
{
	struct frame top = { 0 };

	expand(u, all_of(in), &top, out);
	join_strings(out);
}

/* Definitions, perhaps inside conditionals, and nothing else. */
void preprocess_macro_file(struct unit *u, const struct tokens *in)
{
	struct tokens rest = { 0 };
	struct frame top = { 0 };

	u->macro_file = true;
	expand(u, all_of(in), &top, &rest);
	if (rest.n) {
		error(rest.v[0].loc, DIAG_MACRO, "a macro file holds definitions only, not '%.40s'", rest.v[0].text);
		note(rest.v[0].loc, "write '@define NAME %%( ... %%)'");
	}
	tokens_deinit(&rest);
}

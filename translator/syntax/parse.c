/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One source into the program: reading it, the passes over its tokens, the token stream of the grammar, and what is
 * said when that stream makes no sense.
 */
#include "translator/syntax/parse.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "translator/syntax/actions.h"
#include "translator/syntax/grammar.h"
#include "translator/syntax/habits.h"

int yyparse(struct unit *u);

struct token *tokens_add(struct tokens *ts, const struct token *t)
{
	struct token *added = vec_add(ts->v, ts->n);

	*added = *t;
	return added;
}

void tokens_deinit(struct tokens *ts)
{
	free(ts->v);
	*ts = (struct tokens){ 0 };
}

/* ---- sources ---- */

enum { SOURCE_MAX = 16 << 20 };

static struct source *source_new(struct program *p, const char *name, const char *path, const struct text *t)
{
	struct source *src = arena_new(&program_arena, struct source), **end = &p->sources;

	src->name = arena_strdup(&program_arena, name);
	src->path = path ? arena_strdup(&program_arena, path) : NULL;
	src->text = arena_strndup(&program_arena, text_str(t), t->len);
	src->len = t->len;
	src->reports = p->reports;
	while (*end)
		end = &(*end)->next;
	return *end = src;
}

struct source *source_from_stream(struct program *p, const char *name, const char *path, FILE *f)
{
	_cleanup_text_ struct text t = { 0 };
	char buf[65536];
	size_t n;

	while (t.len <= SOURCE_MAX && (n = fread(buf, 1, sizeof(buf), f)))
		text_append(&t, buf, n);
	if (ferror(f))
		error(diag_nowhere(p->reports), DIAG_IO, "cannot read '%s': %s", name, strerror(errno));
	else if (t.len > SOURCE_MAX)
		error(diag_nowhere(p->reports), DIAG_IO, "'%s' is larger than %d MB, which no script is", name,
		      SOURCE_MAX >> 20);
	else
		return source_new(p, name, path, &t);
	return NULL;
}

struct source *source_from_file(struct program *p, const char *path)
{
	_cleanup_fclose_ FILE *f = NULL;

	if (!strcmp(path, "-"))
		return source_from_stream(p, "<stdin>", NULL, stdin);
	f = fopen(path, "re");
	if (!f) {
		error(diag_nowhere(p->reports), DIAG_IO, "cannot open '%s': %s", path, strerror(errno));
		note(diag_nowhere(p->reports), "a script given as text needs -e");
		return NULL;
	}
	return source_from_stream(p, path, path, f);
}

struct source *source_from_text(struct program *p, const char *name, const char *text)
{
	struct text t = { .buf = (char *)text, .len = strlen(text) };

	return source_new(p, name, NULL, &t);
}

/* ---- tokens as the grammar wants them ---- */

static const struct {
	const char *name;
	enum op op;
} prints[] = {
	{ "print", OP_PRINT }, { "println", OP_PRINTLN }, { "printd", OP_PRINTD },
	{ "printdln", OP_PRINTDLN }, { "printf", OP_PRINTF }, { "print_char", OP_PRINT_CHAR },
	{ "sprint", OP_SPRINT }, { "sprintln", OP_SPRINTLN }, { "sprintd", OP_SPRINTD },
	{ "sprintdln", OP_SPRINTDLN }, { "sprintf", OP_SPRINTF },
};

bool token_is_keyword(int kind)
{
	return kind >= PROBE && kind <= CATCH;
}

bool token_is_name_piece(int kind)
{
	return kind == IDENT || kind == NUMBER || kind == '*' || token_is_keyword(kind);
}

/* Where in the header of a probe the token stream is. */
struct header {
	bool inside;  /* between `probe` and the `{` of its body */
	int parens;   /* open ones: arguments and conditions follow the rules of expressions */
	int groups;   /* open braces of groups */
};

/* The name T stands right after a number, which was a script argument: written together they would be another number. */
static bool ends_number(const struct token *t)
{
	return t->kind == IDENT && t[-1].kind == NUMBER;
}

/* Joins the pieces of a component (`*open*`, `sys_*.*`) that begins at token AT; returns how many tokens it took. */
static size_t join_name(const struct tokens *in, size_t at, struct token *ret)
{
	_cleanup_text_ struct text t = { 0 };
	size_t i = at;

	do {
		text_append(&t, in->v[i].text, in->v[i].len);
		i++;
	} while (i < in->n && in->v[i].glued && token_is_name_piece(in->v[i].kind) && !ends_number(&in->v[i]));
	ret->kind = IDENT;
	ret->text = intern_n(text_str(&t), t.len);
	ret->len = t.len;
	return i - at;
}

bool token_precedes_component(int kind)
{
	return kind == PROBE || kind == '.' || kind == GROUP_OPEN || kind == '=' || kind == ADD_ASSIGN;
}

/* Rewrites what only the neighbours can tell: keywords that are names, globs, braces of groups, print functions. */
static void settle_tokens(struct tokens *in, struct tokens *out)
{
	struct header h = { 0 };
	int prev = 0;

	for (size_t i = 0; i < in->n;) {
		struct token t = in->v[i];
		int next = i + 1 < in->n ? in->v[i + 1].kind : 0;
		size_t took = 1;
		bool component = h.inside && !h.parens && (prev == ',' || token_precedes_component(prev));
		/* A top-level keyword in the wrong place begins something new: the recovery of errors needs it. */
		bool name_here = component && (prev != PROBE && prev != ',' ? true : h.groups || !token_is_keyword(t.kind));

		if (prev == ARROW && token_is_keyword(t.kind)) {
			t.kind = IDENT;
		} else if (name_here && token_is_name_piece(t.kind)) {
			took = join_name(in, i, &t);
		} else if (component && t.kind == '{') {
			t.kind = GROUP_OPEN;
			h.groups++;
		} else if (h.inside && !h.parens && h.groups && t.kind == '}') {
			t.kind = GROUP_CLOSE;
			h.groups--;
		} else if (t.kind == PROBE) {
			h = (struct header){ .inside = true };
		} else if (h.inside && !h.parens && (t.kind == '{' || (token_is_keyword(t.kind) && t.kind != IF))) {
			h.inside = false;
		} else if (h.inside && t.kind == '(') {
			h.parens++;
		} else if (h.inside && t.kind == ')' && h.parens) {
			h.parens--;
		} else if (t.kind == IDENT && next == '(' && prev != ARROW && prev != FUNCTION) {
			for (size_t k = 0; k < sizeof(prints) / sizeof(prints[0]); k++) {
				if (!strcmp(prints[k].name, t.text)) {
					t.kind = PRINT;
					t.op = prints[k].op;
				}
			}
		}
		prev = t.kind;
		tokens_add(out, &t);
		i += took;
	}
}

/* Brackets nested too deep are found before the parser's stack is. */
static bool check_nesting(struct unit *u, const struct tokens *ts)
{
	int open = 0;

	for (size_t i = 0; i < ts->n; i++) {
		int kind = ts->v[i].kind;

		if (kind == '(' || kind == '[' || kind == '{' || kind == GROUP_OPEN)
			open++;
		else if ((kind == ')' || kind == ']' || kind == '}' || kind == GROUP_CLOSE) && open)
			open--;
		if (open > BRACKETS_MAX) {
			parse_too_deep(u, ts->v[i].loc);
			return false;
		}
	}
	return true;
}

const struct token *parse_next(struct unit *u)
{
	return &u->tokens.v[u->at++];
}

/* ---- errors ---- */

void parse_too_deep(struct unit *u, struct loc loc)
{
	if (u->too_deep)
		return;
	u->too_deep = true;
	error(loc, DIAG_SYNTAX, "the script is nested too deep here");
	note(loc, "at most %d brackets and %d levels of expressions or statements are possible", BRACKETS_MAX,
	     DEPTH_MAX);
}

/* A token that begins a definition, by itself and by what follows: names of probe points may be such words. */
static bool begins_definition(const struct token *t)
{
	switch (t->kind) {
	case 0:
		return true;
	case PROBE:
		return t[1].kind == IDENT || t[1].kind == GROUP_OPEN;
	case GLOBAL:
		return t[1].kind == IDENT;
	case PRIVATE:
		return t[1].kind == IDENT || t[1].kind == GLOBAL || t[1].kind == FUNCTION;
	case FUNCTION:
		return t[1].kind == IDENT && (t[2].kind == '(' || t[2].kind == ':');
	}
	return false;
}

void parse_recover(struct unit *u)
{
	const struct token *t = &u->tokens.v[u->at - 1];

	if (unit_gave_up(u))
		t = &u->tokens.v[u->tokens.n - 1];
	/* A global in a probe begins no definition: the probe goes on after it. */
	if (t->kind == GLOBAL)
		t++;
	while (!begins_definition(t))
		t++;
	u->at = (size_t)(t - u->tokens.v);
}

static void note_expansion(const struct expansion *via)
{
	for (int i = 0; via && i < 3; via = via->up, i++) {
		if (via->definition.src)
			note(via->use, "in the expansion of '%s'", via->macro);
		else
			note(via->use, "in script argument %s", via->macro);
	}
}

static bool suggest_keyword(const struct token *t)
{
	struct nearest s = { .word = t->text };
	const char *word;

	if (t->kind != IDENT)
		return false;
	keyword_names(nearest_add_name, &s);
	word = nearest_get(&s);
	if (word)
		note(t->loc, "did you mean '%s'?", word);
	return word;
}

/* Says how a definition that T begins is written, and the filter after its head. */
static bool note_header(const struct token *t)
{
	if (!habit_note(HABIT_HEADER, t->loc))
		return false;
	if (t->kind == '/')
		return true;
	while (t->kind && t->kind != '{' && t->kind != GROUP_OPEN && (t->kind != '/' || t->glued))
		t++;
	if (t->kind == '/')
		habit_note(HABIT_SHAPE, t->loc);
	return true;
}

enum { LOOK_BACK = 64 }; /* tokens */

/* Says how the probe point that T interrupts is written. */
static bool note_point(const struct unit *u, const struct token *t)
{
	if (t->kind != ':' && t->kind != '-' && t->kind != '+')
		return false;
	for (const struct token *h = t; h > u->tokens.v && t - h < LOOK_BACK && h->kind != '{'; h--) {
		const char *instead = h[-1].kind == PROBE || h[-1].kind == ',' ? habit_at(HABIT_HEADER, h->loc, t->loc) : NULL;

		if (instead && h[-1].kind == ',')
			habit_say(h->loc, instead + strlen("probe ") * !strncmp(instead, "probe ", strlen("probe ")));
		if (instead)
			return h[-1].kind == ',' || note_header(h);
	}
	return false;
}

/* Says how the statement that T interrupts is written, by the longest match that includes T. */
static bool note_shape(const struct unit *u, const struct token *t)
{
	long back = t - u->tokens.v < LOOK_BACK ? t - u->tokens.v : LOOK_BACK;

	for (const struct token *h = t - back; h <= t; h++) {
		const char *instead = h->via || h->kind == STRING ? NULL : habit_at(HABIT_SHAPE, h->loc, t->loc);

		if (instead)
			habit_say(h->loc, instead);
		if (instead)
			return true;
	}
	return false;
}

static bool note_habit(const struct unit *u, const struct token *t, bool at_top)
{
	if (t->via)
		return false;
	return at_top ? note_header(t) : note_point(u, t) || note_shape(u, t);
}

static bool is_opening(int kind)
{
	return kind == '(' || kind == '[' || kind == '{' || kind == GROUP_OPEN;
}

/* Names the innermost bracket that is open at END: the end of the script, a definition, or a '}' or ';' that does not close it. */
static void note_open(const struct unit *u, const struct token *end)
{
	int closed = 0;

	for (const struct token *t = end; t-- > u->tokens.v;) {
		bool opens = is_opening(t->kind);

		if (opens && !closed) {
			if ((end->kind != '}' && end->kind != ';') || t->kind == '(' || t->kind == '[')
				note(t->loc, "this '%s' is not closed", t->text);
			return;
		}
		closed += t->kind == ')' || t->kind == ']' || t->kind == '}' || t->kind == GROUP_CLOSE;
		closed -= opens;
	}
}

/* Reports the parts of a script where T is not one of them. */
static void note_top(const struct token *t)
{
	if (t->kind == '}')
		note(t->loc, "it closes nothing: a '{' is missing before it, or this '}' is one too many");
	else if (t->kind)
		note(t->loc, "a script consists of probes, such as: probe begin { println(\"hello\") exit() }");
}

/* A script of the command line that lacks an expression: the shell may have taken its names. */
static void note_shell(const struct unit *u, struct loc loc, const char *expected)
{
	if (!u->src->path && !u->src->tapset && !strncmp(expected, "an expression", strlen("an expression")))
		habit_note_shell(u->src->text, loc);
}

void parse_unexpected(struct unit *u, struct loc loc, const char *expected, bool needs_name, bool at_top)
{
	const struct token *t = &u->tokens.v[u->at - 1];
	const char *tail = *expected ? ", expected " : "";

	if (unit_gave_up(u) || (!t->kind && u->cut))
		return;
	if (!t->kind)
		error(loc, DIAG_SYNTAX, "the script ends too early%s%s", tail, expected);
	else if (t->kind == STRING)
		error(loc, DIAG_SYNTAX, "unexpected string%s%s", tail, expected);
	else if (t->kind == EMBED)
		error(loc, DIAG_SYNTAX, "unexpected embedded C%s%s", tail, expected);
	else
		error(loc, DIAG_SYNTAX, "unexpected '%.60s'%s%s", t->text, tail, expected);
	note_expansion(t->via);
	if (t->kind && note_habit(u, t, at_top))
		return;
	if (!at_top && (t->kind == '}' || t->kind == ';' || begins_definition(t)))
		note_open(u, t);
	if (needs_name && token_is_keyword(t->kind))
		note(loc, "'%s' is a keyword and cannot be a name", t->text);
	else if (!suggest_keyword(u->at > 1 && t[-1].kind == IDENT && t->kind == IDENT ? &t[-1] : t) && at_top)
		note_top(t);
	note_shell(u, loc, expected);
}

/* ---- the whole ---- */

/* The place of the end of the script: its last line with text. */
static struct loc end_of_source(const struct unit *u)
{
	if (u->tokens.n)
		return u->tokens.v[u->tokens.n - 1].loc;
	return (struct loc){ u->src, 1, 1 };
}

static void unit_init(struct unit *u, struct program *p, struct source *src, const struct parse_options *opt)
{
	*u = (struct unit){ .program = p, .src = src, .opt = opt, .errors_before = diag_errors(src->reports) };
	for (u->global_end = &p->globals; *u->global_end;)
		u->global_end = &(*u->global_end)->next;
	for (u->function_end = &p->functions; *u->function_end;)
		u->function_end = &(*u->function_end)->next;
	for (u->alias_end = &p->aliases; *u->alias_end;)
		u->alias_end = &(*u->alias_end)->next;
	for (u->probe_end = &p->probe_defs; *u->probe_end;)
		u->probe_end = &(*u->probe_end)->next;
	for (u->embedded_end = &p->embedded; *u->embedded_end;)
		u->embedded_end = &(*u->embedded_end)->next;
}

static void nothing(void *p)
{
}

static void unit_deinit(struct unit *u)
{
	tokens_deinit(&u->tokens);
	tdestroy(u->global_names, nothing);
}

static void report_empty(struct unit *u, size_t n_raw)
{
	struct loc start = { u->src, 1, 1 };

	error(start, DIAG_EMPTY_INPUT, "the script is empty%s", n_raw ? " after preprocessing" : "");
	if (u->src->len)
		habit_note(HABIT_HEADER, start);
}

/* A script of another language gets one message, before its body causes others. No definition begins with a name. */
static void check_first(struct unit *u, struct tokens *raw)
{
	struct token end = { .text = "" };

	tokens_add(raw, &end);
	raw->n--;
	if (!raw->n || (raw->v[0].kind != IDENT && raw->v[0].kind != SCRIPT_ARG && raw->v[0].kind != '/') || u->stopped ||
	    !habit_at(HABIT_HEADER, raw->v[0].loc, (struct loc){ 0 }))
		return;
	error(raw->v[0].loc, DIAG_SYNTAX, "unexpected '%.60s', expected 'probe', 'global', 'private' or 'function'", raw->v[0].text);
	note_header(raw->v);
	u->stopped = true;
}

/* Tokens after preprocessing, with the zeros after them that looking ahead may meet. */
static void grammar_tokens(struct unit *u)
{
	struct tokens raw = { 0 }, clean = { 0 };
	struct token end = { .text = "" };

	scan_text(u, u->src->text, u->src->len, NULL, &raw);
	check_first(u, &raw);
	preprocess(u, &raw, &clean);
	settle_tokens(&clean, &u->tokens);
	if (!u->tokens.n && !unit_failed(u) && !u->src->tapset)
		report_empty(u, raw.n);
	end.loc = end_of_source(u);
	for (int i = 0; i < 3; i++)
		tokens_add(&u->tokens, &end);
	tokens_deinit(&raw);
	tokens_deinit(&clean);
}

bool parse_source(struct program *p, struct source *src, const struct parse_options *opt)
{
	struct unit u;
	bool ok;

	unit_init(&u, p, src, opt);
	grammar_tokens(&u);
	if (!unit_gave_up(&u) && check_nesting(&u, &u.tokens))
		yyparse(&u);
	if (diag_errors(src->reports) - u.errors_before >= ERRORS_MAX)
		note(diag_nowhere(p->reports), "'%s' has more errors; the rest was not looked at", src->name);
	ok = !unit_failed(&u);
	unit_deinit(&u);
	return ok;
}

bool parse_macros(struct program *p, struct source *src, const struct parse_options *opt)
{
	struct tokens raw = { 0 };
	struct unit u;
	bool ok;

	unit_init(&u, p, src, opt);
	scan_text(&u, src->text, src->len, NULL, &raw);
	preprocess_macro_file(&u, &raw);
	tokens_deinit(&raw);
	ok = !unit_failed(&u);
	unit_deinit(&u);
	return ok;
}

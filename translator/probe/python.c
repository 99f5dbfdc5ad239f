/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family python: functions of Python programs that run under our package HelperSDT.
 *
 *	python3.module("MODULE").function("FUNCTION[@FILE]")[.call .exported .return]
 *
 * Such a point is a mark of the package's extension (python/extension.c) and a test of the name that the mark passes, put
 * before the body. The wanted names go into the module too, for ktaprun: the extension then skips all others at once.
 * Which of four marks it is depends on what the script asks for: texts of stacks and variables are made on demand.
 */
#include <string.h>
#include <unistd.h>

#include "lib/packages.h"
#include "lib/paths.h"
#include "translator/probe/process.h"
#include "translator/probe/python.h"

enum variant { CALL, EXPORTED, RETURN };

static const struct probe_pattern patterns[] = {
	{ "python3.module(string).function(string)", CALL },
	{ "python3.module(string).function(string).call", CALL },
	{ "python3.module(string).function(string).exported", EXPORTED },
	{ "python3.module(string).function(string).return", RETURN },
	{ "python2.module(string).function(string)", CALL },
	{ "python2.module(string).function(string).call", CALL },
	{ "python2.module(string).function(string).exported", EXPORTED },
	{ "python2.module(string).function(string).return", RETURN },
	{ NULL, 0 },
};

/* ---- names ---- */
/* A point's patterns: of the module, the function, the file or NULL for any. */
struct wanted {
	const char *module, *function, *file;
	bool exported;
};

static bool parse_wanted(const struct resolve *r, struct wanted *w)
{
	const struct node *module = process_part(r->point, "module")->arg;
	const struct node *function = process_part(r->point, "function")->arg;
	const char *at = strchr(function->text, '@');

	*w = (struct wanted){ .module = module->text, .function = function->text, .exported = r->pattern->id == EXPORTED };
	if (strchr(module->text, '\n') || strchr(function->text, '\n'))
		return error(function->loc, DIAG_PROBE_ARG, "no name in Python holds a line break");
	if (!at)
		return true;
	w->function = arena_strndup(&program_arena, function->text, (size_t)(at - function->text));
	w->file = at + 1;
	if (!strpbrk(w->file, ":+"))
		return true;
	error(function->loc, DIAG_PROBE_ARG, "'%s' asks for a line, but functions of Python are probed where they begin and end",
	      function->text);
	note(function->loc, "leave out the part after the file; python_line() returns the line");
	return false;
}

/* The ']' of the set of characters that begins at S; NULL: it is no set, and the '[' stands for itself. */
static const char *end_of_set(const char *s)
{
	s += 1 + (s[1] == '!' || s[1] == '^');
	return *s ? strchr(s + 1, ']') : NULL;
}

/* The expression for names "MODULE:FUNCTION@FILE" that a pattern of the shell matches. */
static void put_regex(struct text *t, const char *glob)
{
	for (const char *s = glob, *end; *s; s++) {
		end = *s == '[' ? end_of_set(s) : NULL;
		if (end) {
			text_puts(t, s[1] == '!' ? "[^" : "[");
			s += s[1] == '!' ? 2 : 1;
			text_append(t, s, (size_t)(end - s) + 1);
			s = end;
		} else if (*s == '*')
			text_puts(t, ".*");
		else if (*s == '?')
			text_puts(t, ".");
		else
			text_printf(t, strchr(".+(){}[|^$\\", *s) ? "\\%c" : "%c", *s);
	}
}

static const char *regex_of(const struct wanted *w)
{
	struct text t = {};

	text_puts(&t, "^");
	put_regex(&t, w->module);
	text_puts(&t, ":");
	put_regex(&t, w->function);
	text_puts(&t, "@");
	if (w->file) {
		text_puts(&t, "(.*/)?");
		put_regex(&t, w->file);
		text_puts(&t, "$");
	}
	return text_keep(&t);
}

static const char *lines_of(const struct wanted *w)
{
	if (!w->file)
		return arena_printf(&program_arena, "%s:%s@*", w->module, w->function);
	return arena_printf(&program_arena, "%s:%s@%s\n%s:%s@*/%s", w->module, w->function, w->file, w->module, w->function,
			    w->file);
}

/* Are the lines LINES in T, as whole lines? */
static bool has_lines(const struct text *t, const char *lines)
{
	const char *all = text_str(t);
	size_t len = strlen(lines);

	for (const char *s = all; (s = strstr(s, lines)); s++)
		if ((s == all || s[-1] == '\n') && (!s[len] || s[len] == '\n'))
			return true;
	return false;
}

void python_wanted(struct text *t, const struct program *p)
{
	for (const struct probe *pr = p->probes; pr; pr = pr->next) {
		const struct process_probe *up = pr->data;

		if (pr->family != &probe_family_process || !up->python)
			continue;
		if (!has_lines(t, up->python))
			text_printf(t, "%s%s", t->len ? "\n" : "", up->python);
	}
}

/* ---- the body ---- */
static struct node *new_call(const char *function, struct loc loc)
{
	return node_own_call(function, loc);
}

static struct node *new_string(const char *s, struct loc loc)
{
	struct node *n = node_new(ND_STR, loc);

	n->text = s;
	n->text_len = strlen(s);
	return n;
}

/* if (FUNCTION() =~ "REGEX") next; with OP_NMATCH !~ */
static struct node *new_test(const char *function, enum op op, const char *regex, struct loc loc)
{
	struct node *match = node_new(ND_BINARY, loc), *n = node_new(ND_IF, loc);

	match->op = op;
	match->kid[0] = new_call(function, loc);
	match->kid[1] = new_string(regex, loc);
	n->kid[0] = match;
	n->kid[1] = node_new(ND_NEXT, loc);
	return n;
}

/* The body after the test of the name. */
static struct node *guarded(struct resolve *r, const struct wanted *w)
{
	struct node *block = node_new(ND_BLOCK, r->body->loc), **tail = &block->list;

	*tail = new_test("__python_name", OP_NMATCH, regex_of(w), r->point->loc);
	tail = &(*tail)->next;
	if (w->exported) {
		*tail = new_test("python_function", OP_MATCH, "(^|\\.)_", r->point->loc);
		tail = &(*tail)->next;
	}
	*tail = node_clone(r->body);
	return block;
}

/* ---- what is asked for ---- */
enum { BACKTRACE = 1, VARIABLES = 2 };

static bool find_demand(struct node *n, void *data)
{
	int *demand = data;

	if (n->kind == ND_TARGET)
		*demand |= VARIABLES;
	if (n->kind != ND_CALL || strncmp(n->name, "python_", strlen("python_")) != 0)
		return true;
	if (strstr(n->name, "backtrace"))
		*demand |= BACKTRACE;
	if (strstr(n->name, "variable") || strstr(n->name, "result"))
		*demand |= VARIABLES;
	return true;
}

/* By the body, or by a function of the script, which the body may call. */
static int find_demands(const struct resolve *r)
{
	int demand = 0;

	node_walk(r->body, find_demand, &demand);
	for (const struct function *f = r->program->functions; f; f = f->next)
		if (f->body && !f->file->tapset)
			node_walk(f->body, find_demand, &demand);
	return demand;
}

/* ---- resolving ---- */
static bool refuse(const struct resolve *r, const char *path)
{
	struct loc loc = r->point->loc;

	if (!strcmp(r->point->parts->name, "python2")) {
		error(loc, DIAG_NO_PROGRAM, "programs of Python 2 cannot be probed");
		note(loc, "python3.module(...) probes those of Python 3");
	} else if (!path) {
		error(loc, DIAG_NO_PROGRAM, "this ktap was built without its extension of Python");
		package_rebuild_note(r->program->reports, PACKAGE_PYTHON);
	} else {
		error(loc, DIAG_NO_PROGRAM, "the extension of Python is not there: %s", path);
		note(loc, "is ktap installed completely? 'make install' puts it there");
	}
	return false;
}

/* A program that does not report its functions is silent: say what makes it report them. */
static void warn_of_silence(struct program *p, struct loc loc)
{
	if (p->warned.python_is_silent || p->session.last_pass < 5 || p->output.list || p->output.plan)
		return;
	if (!p->session.command) {
		p->warned.python_is_silent = true;
		warning(loc, DIAG_NO_PROGRAM, "only programs that run under HelperSDT are probed");
		note(loc, "-c 'python3 -m HelperSDT SCRIPT' starts one; elsewhere: PYTHONPATH=%s python3 -m HelperSDT SCRIPT",
		     libexec_path("python"));
	} else if (strstr(p->session.command, "python") && !strstr(p->session.command, "HelperSDT")) {
		p->warned.python_is_silent = true;
		warning(loc, DIAG_NO_PROGRAM, "the command does not name HelperSDT, without which no function is seen");
		note(loc, "-c 'python3 -m HelperSDT SCRIPT'");
	}
}

/* The point as the mark that it is. */
static struct probe_point *new_mark_point(const struct probe_point *pp, bool at_return, int demand)
{
	static const char *const suffixes[] = { "", "__backtrace", "__variables", "__all" };
	struct probe_point *mark = arena_new(&program_arena, struct probe_point);
	struct component *c = arena_new(&program_arena, struct component);
	const char *name = arena_printf(&program_arena, "%s%s", at_return ? "return" : "call", suffixes[demand]);

	c->name = intern("mark");
	c->loc = pp->loc;
	c->arg = new_string(name, pp->loc);
	*mark = (struct probe_point){ .parts = c, .optional = pp->optional, .sufficient = pp->sufficient,
				      .condition = pp->condition, .loc = pp->loc };
	return mark;
}

static bool resolve(struct resolve *r)
{
	struct process_file *f = arena_new(&program_arena, struct process_file);
	struct probe_point *point = r->point;
	struct wanted w;
	struct target *t;
	bool ok;

	if (!*KTAP_PYTHON_MODULE || !strcmp(point->parts->name, "python2"))
		return refuse(r, NULL);
	f->path = arena_printf(&program_arena, "%s/HelperSDT/%s", libexec_path("python"), KTAP_PYTHON_MODULE);
	f->point = arena_printf(&program_arena, "process(\"%s\")", f->path);
	if (access(f->path, R_OK))
		return refuse(r, f->path);
	t = target_open_program(context_opened(r->program), f->path, point->loc);
	if (!t || !parse_wanted(r, &w))
		return false;
	r->point = new_mark_point(point, r->pattern->id == RETURN, find_demands(r));
	r->body = guarded(r, &w);
	ok = process_marks(r, t, f);
	r->point = point;
	for (struct probe *pr = r->first; ok && pr; pr = pr->next) {
		struct process_probe *up = pr->data;

		up->python = lines_of(&w);
		up->cp.interpreted = true;
		up->name = process_part(point, "function")->arg->text;
		pr->point = point;
		pr->pp = probe_point_text(point);
	}
	warn_of_silence(r->program, point->loc);
	return ok;
}

/* ---- variables ---- */
bool python_variable(struct program *p, struct probe *pr, struct node **np)
{
	static const char *const lists[][2] = {
		{ "$$vars", "all" }, { "$$parms", "parameters" }, { "$$locals", "locals" },
	};
	struct node *n = *np;
	bool at_return = process_part(pr->point, "return") != NULL;
	const char *function = "python_variable", *argument;

	if (n->kind != ND_TARGET) {
		if (n->kind == ND_ENTRY) {
			error(n->loc, DIAG_TARGET_VAR, "probes of Python have no @entry");
			note(n->loc, "$NAME in a .return probe is the variable as it is then; a probe without .return sees the call");
			return false;
		}
		error(n->loc, DIAG_TARGET_VAR, "values of Python are texts: they have no members and no address");
		note(n->loc, "$NAME is the text of a variable, $$vars has all of them");
		return false;
	}
	argument = n->name + 1;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(n->name, lists[i][0])) {
			function = "python_variables";
			argument = lists[i][1];
		}
	if (!strcmp(n->name, "$$name")) {
		function = "python_function";
		argument = NULL;
	} else if (!strcmp(n->name, "$return") || !strcmp(n->name, "$$return")) {
		function = n->name[1] == '$' ? "__python_return" : "python_result";
		argument = NULL;
		if (!at_return)
			return error(n->loc, DIAG_TARGET_VAR, "'%s' exists in .return probes only", n->name);
	} else if (n->name[1] == '$' && !strcmp(function, "python_variable")) {
		return error(n->loc, DIAG_TARGET_VAR, "there is no '%s' in probes of Python", n->name);
	}
	*np = new_call(function, n->loc);
	if (argument)
		(*np)->list = new_string(arena_strdup(&program_arena, argument), n->loc);
	return true;
}

const struct probe_family probe_family_python = {
	.name = "python",
	.id = KT_FAMILY_UPROBE,
	.in_programs = true,
	.patterns = patterns,
	.resolve = resolve,
};

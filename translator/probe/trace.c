/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family trace: the tracepoints of the kernel, with their arguments by name.
 *
 *	kernel.trace("[SYSTEM:]NAME")   globs in both parts
 *	kernel.tracepoint("NAME")       the same, the arguments are $arg1, $arg2, ...
 *	module("M").trace(...), module("M").tracepoint(...)
 *
 * Tracepoints that the kernel itself lacks are looked for in its modules.
 *
 * Each tracepoint NAME has a function __traceiter_NAME that calls its probes; its parameters after the first are the
 * tracepoint's arguments. So the tracepoints of a kernel, their arguments and the types come from whatever describes
 * functions. The system comes from the kernel's headers; a tracepoint that they do not mention has a name only.
 */
#include <fnmatch.h>
#include <string.h>

#include "translator/probe/places.h"
#include "translator/probe/systems.h"
#include "translator/syntax/habits.h"

enum variant {
	TRACE_NAMED,
	TRACE_NUMBERED,
	TRACE_MODULE,
	TRACE_MODULE_NUMBERED,
};

enum { WORD = 8 };

static const char prefix[] = "__traceiter_";

/* probe->data */
struct trace_probe {
	struct context_place cp;
	const char *name;
	unsigned words;        /* of all arguments */
};

static const struct probe_pattern patterns[] = {
	{ "kernel.trace(string)", TRACE_NAMED },
	{ "kernel.tracepoint(string)", TRACE_NUMBERED },
	{ "module(string).trace(string)", TRACE_MODULE },
	{ "module(string).tracepoint(string)", TRACE_MODULE_NUMBERED },
	{ NULL, 0 },
};

static bool is_numbered(const struct resolve *r)
{
	return r->pattern->id == TRACE_NUMBERED || r->pattern->id == TRACE_MODULE_NUMBERED;
}

static const char *name_of(const char *func)
{
	return intern(func + sizeof(prefix) - 1);
}

/* ---- arguments ---- */
/* Words as the calling convention fills them: those in registers first, then those on the stack. The first register
 * holds the probe's own data. */
struct words {
	unsigned reg, n_regs;   /* next one, how many there are */
	unsigned stack;         /* next one on the stack */
};

static unsigned registers_of(const struct kernel *k)
{
	return k->machine->convention ? (unsigned)k->machine->convention->n_args - 1 : 0;
}

static struct location word_at(unsigned i)
{
	if (i >= KT_TRACE_WORDS_MAX)
		return location_none("the tracepoint has too many arguments");
	return (struct location){ .kind = LOC_ARGUMENT, .reg = i };
}

static struct location next_argument(struct words *w, const struct ctype *type)
{
	uint64_t size = type ? type->size : 0;
	unsigned n = (unsigned)((size + WORD - 1) / WORD), first;

	if (type && type->kind == CT_FLOAT)
		return location_none("it is a floating point number");
	if (!n) {
		/* Its location, and those of all after it, are unknown. */
		w->reg = w->n_regs;
		w->stack = KT_TRACE_WORDS_MAX;
		return location_none("its size is unknown");
	}
	/* A structure that does not fit in the registers leaves them to what comes after it. */
	if (n <= 2 && w->reg + n <= w->n_regs) {
		first = w->reg;
		w->reg += n;
	} else {
		first = w->n_regs + w->stack;
		w->stack += n;
	}
	if (n > 1)
		return location_none("it is a structure passed by value");
	return word_at(first);
}

/* The parameters of the function after the first, as words. */
static const struct variable *arguments(struct trace_probe *tp, const struct place *p, unsigned n_regs, bool numbered)
{
	struct variable *first = NULL, **end = &first;
	struct words w = { .n_regs = n_regs };
	const struct variable *v = target_variables(tp->cp.target, p);

	for (int i = 0; v && v->parameter; v = v->next, i++) {
		if (i == 0)
			continue;
		*end = arena_new(&program_arena, struct variable);
		(*end)->name = numbered ? intern(arena_printf(&program_arena, "arg%d", i)) : v->name;
		(*end)->type = v->type;
		(*end)->parameter = true;
		(*end)->location = next_argument(&w, v->type);
		end = &(*end)->next;
	}
	tp->words = w.stack ? n_regs + w.stack : w.reg;
	if (tp->words > KT_TRACE_WORDS_MAX)
		tp->words = KT_TRACE_WORDS_MAX;
	return first;
}

/* ---- no match ---- */
static void suggest_system(const char *system, void *data)
{
	nearest_add(data, system);
}

/* "SYSTEM:NAME", or what is known of it. */
static const char *whole_name(const char *system, const char *name)
{
	return system ? arena_printf(&program_arena, "%s:%s", system, name) : name;
}

static bool report_no_match(struct resolve *r, struct target *t, const struct kernel *k, const char *system, const char *name)
{
	struct loc loc = probe_arg(r->point, 1)->loc;
	struct function_query all = { .func = arena_printf(&program_arena, "%s*", prefix), .outlined = true, .names_only = true };
	struct nearest near = { .word = name }, near_system = { .word = system };
	const char *best, *of = trace_system(k, intern(name));
	bool noted = true, there = false;

	if (r->point->optional)
		return true;
	error(loc, DIAG_NO_MATCH, "%s has no tracepoint '%s'", probe_arg(r->point, 0) ? "the module" : "the kernel",
	      whole_name(system, name));
	if (habit_note(HABIT_POINT, r->point->loc))
		return false;
	for (const struct place *p = t ? target_functions(t, &all) : NULL; p; p = p->next) {
		there |= name_of(p->func) == intern(name);
		nearest_add(&near, name_of(p->func));
	}
	best = there ? name : nearest_get(&near);
	if (best) {
		note(loc, "did you mean '%s'?", whole_name(is_numbered(r) ? NULL : trace_system(k, intern(best)), best));
		return false;
	}
	if (of)
		note(loc, "the headers of kernel %s name it: it belongs to a part that is configured out, or to a module that "
		     "is not installed", k->release);
	else
		noted = false;
	if (system) {
		trace_system_names(k, suggest_system, &near_system);
		best = nearest_get(&near_system);
		if (best && strcmp(best, system)) {
			note(loc, "a system of a similar name is '%s'", best);
			noted = true;
		}
	}
	if (!noted)
		note(loc, "ktap -l 'kernel.trace(\"*PART*\")' lists tracepoints by a part of the name");
	return false;
}

/* ---- resolving ---- */
static void add_place(struct resolve *r, struct target *t, const struct kernel *k, const struct place *p, const char *system)
{
	struct trace_probe *tp = arena_new(&program_arena, struct trace_probe);
	struct place *place = arena_new(&program_arena, struct place);
	bool numbered = is_numbered(r);
	const char *whole;

	tp->name = name_of(p->func);
	/* For messages: this is no function that anybody knows. */
	place->func = arena_printf(&program_arena, "tracepoint %s", tp->name);
	tp->cp = (struct context_place){ .target = t, .place = place, .is_tracepoint = true };
	tp->cp.arguments = arguments(tp, p, registers_of(k), numbered);
	whole = numbered || !system ? tp->name : arena_printf(&program_arena, "%s:%s", system, tp->name);
	probe_add(r, &probe_family_trace,
		  arena_printf(&program_arena, "%s.%s(\"%s\")", probe_arg(r->point, 0) ? target_point(t) : "kernel", numbered ? "tracepoint" : "trace", whole), tp);
}

/* Does the tracepoint NAME of system OF belong to WANTED? Where the headers do not tell its system, the name decides: it
 * was written out, or begins as names of that system do. */
static bool in_system(const char *wanted, const char *of, const char *name, bool exact)
{
	_cleanup_free_ char *start = NULL;

	if (!wanted)
		return true;
	if (of)
		return !fnmatch(wanted, of, 0);
	start = xasprintf("%s_*", wanted);
	return exact || !fnmatch(start, name, 0);
}

/* The argument of a point, taken apart. */
struct search {
	const char *system, *name;
	const struct kernel *k;
	struct function_query q;
	struct target *last;
};

static bool search_target(struct resolve *r, struct target *t, void *data)
{
	struct search *s = data;
	const char *last = NULL;

	s->last = t;
	for (const struct place *p = target_functions(t, &s->q); p; p = p->next) {
		const char *of = trace_system(s->k, name_of(p->func));

		/* One function may be described twice. */
		if (name_of(p->func) == last || !in_system(s->system, of, name_of(p->func), !strpbrk(s->name, "*?[")))
			continue;
		last = name_of(p->func);
		add_place(r, t, s->k, p, of);
	}
	return true;
}

struct module_search {
	struct resolve *r;
	struct search *s;
};

static void search_module(const char *name, void *data)
{
	struct module_search *m = data;
	struct target *t;
	struct trial trial;

	if (!kernel_module_traces(m->s->k, name))
		return;
	trial_begin(m->r->program->reports, &trial, TRIAL_DROPS);
	t = target_open_module(context_opened(m->r->program), m->s->k, name, m->r->program->platform.debuginfo, m->r->point->loc);
	trial_end(&trial);
	if (t)
		search_target(m->r, t, m->s);
}

/* A tracepoint that the kernel itself lacks: in the module with the name of the system, else in all. */
static void search_modules(struct resolve *r, struct search *s)
{
	struct module_search m = { r, s };
	struct target *kernel = s->last;

	if (s->system)
		kernel_modules(s->k, s->system, search_module, &m);
	if (!r->found)
		kernel_modules(s->k, "*", search_module, &m);
	s->last = kernel;
}

static bool resolve(struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 1);
	const struct program *p = r->program;
	bool of_module = r->pattern->id == TRACE_MODULE || r->pattern->id == TRACE_MODULE_NUMBERED;
	const char *colon = is_numbered(r) ? NULL : strchr(arg->text, ':');
	struct search s = { .name = colon ? colon + 1 : arg->text, .q.outlined = true };

	if (colon)
		s.system = arena_strndup(&program_arena, arg->text, (size_t)(colon - arg->text));
	if (!*s.name || (s.system && !*s.system) || strlen(arg->text) != arg->text_len) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' names no tracepoint", arg->text);
		note(arg->loc, "the form is \"SYSTEM:NAME\" or \"NAME\"");
		return false;
	}
	s.k = kernel_find(p->reports, p->platform.release);
	if (!s.k)
		return false;
	s.q.func = arena_printf(&program_arena, "%s%s", prefix, s.name);
	/* The entries in the debugging information, one in nearly every unit, tell arguments only. */
	s.q.names_only = p->output.list && !p->output.list_variables;
	if (!places_each_target(r, search_target, &s))
		return false;
	if (!r->found && !of_module)
		search_modules(r, &s);
	return r->found ? true : report_no_match(r, s.last, s.k, s.system, s.name);
}

/* ---- variables ---- */
static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	const struct trace_probe *tp = pr->data;
	struct node *n = *np;

	if (n->kind == ND_ENTRY)
		return error(n->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
	if (n->kind != ND_TARGET || strcmp(n->name, "$$name"))
		return context_variable(p, &tp->cp, np, asked);
	*np = node_new(ND_STR, n->loc);
	(*np)->text = tp->name;
	(*np)->text_len = strlen(tp->name);
	return true;
}

/* ---- output ---- */
static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct trace_probe *tp = pr->data;

	*ret = (struct probe_attach){ .kind = IMAGE_RAW_TP, .symbol = tp->name };
	return !target_module(tp->cp.target);
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct trace_probe *tp = pr->data;
	const char *module = target_module(tp->cp.target);

	text_printf(t, "{ .probe = %d, .words = %u, .name = ", pr->index, tp->words);
	text_quote(t, tp->name, strlen(tp->name));
	if (module) {
		text_puts(t, ", .module = ");
		text_quote(t, module, strlen(module));
	}
	text_puts(t, " },");
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct trace_probe *tp = pr->data;

	if (target_module(tp->cp.target))
		text_printf(t, "module %s, ", target_module(tp->cp.target));
	text_printf(t, "tracepoint %s, %u words of arguments", tp->name, tp->words);
	context_describe(t, &tp->cp);
}

const struct probe_family probe_family_trace = {
	.name = "trace",
	.id = KT_FAMILY_TRACE,
	.patterns = patterns,
	.resolve = resolve,
	.has_context = true,
	.variable = variable,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
	.attached = "tracepoint",
};

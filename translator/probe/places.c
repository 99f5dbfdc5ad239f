/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of the kernel and of modules: see places.h. */
#include "translator/probe/places.h"
#include "translator/probe/query.h"
#include "translator/probe/systems.h"

#include <string.h>

#include "lib/packages.h"
#include "translator/probe/renamed.h"
#include "translator/probe/syscall-names.h"
#include "translator/syntax/habits.h"

enum {
	LISTED_MAX = 5,
	SEARCHES_MAX = 20, /* errors of a script for which all modules and names are searched, which takes 30 ms each */
};

/* ---- targets ---- */
struct names {
	const char **name;
	size_t n, cap;
};

static void add_name(const char *name, void *data)
{
	struct names *l = data;

	if (l->n == l->cap) {
		const char **more = arena_array(&program_arena, const char *, l->cap = 2 * l->cap + 64);

		if (l->n)
			memcpy(more, l->name, l->n * sizeof(*more));
		l->name = more;
	}
	l->name[l->n++] = name;
}

/* All modules of a glob that debugging information describes; the others are passed over. */
static bool each_module(struct resolve *r, const struct node *arg, const struct kernel *k, enum debuginfo how,
			bool (*fn)(struct resolve *r, struct target *t, void *data), void *data)
{
	const struct output *out = &r->program->output;
	/* A listing of points is done with a module when it has the points: a thousand of them need not be open at once. */
	bool close = out->list && !out->list_variables, known = false;
	struct target *last = NULL;
	struct names l = {};

	kernel_modules(k, arg->text, add_name, &l);
	for (size_t i = 0; i < l.n; i++) {
		struct target *t;
		struct trial trial;

		trial_begin(r->program->reports, &trial, TRIAL_DROPS);
		t = target_open_module(context_opened(r->program), k, l.name[i], how, arg->loc);
		trial_end(&trial);
		known |= t != NULL;
		/* The last one stays, for what is said when nothing was found. */
		if (t && close) {
			target_close_module(last);
			last = t;
		}
		if (t && !fn(r, t, data))
			return false;
	}
	if (known || r->point->optional)
		return true;
	error(arg->loc, l.n ? DIAG_NO_DEBUGINFO : DIAG_NO_MATCH, l.n ? "no module like '%s' has debugging information here"
								    : "no module is named like '%s'", arg->text);
	if (l.n)
		package_note(r->program->reports, PACKAGE_DEBUGINFO, k->release, "the kernel's debugging information");
	else
		note(arg->loc, "/lib/modules/%s/modules.dep lists them", k->release);
	return false;
}

bool places_each_target(struct resolve *r, bool (*fn)(struct resolve *r, struct target *t, void *data), void *data)
{
	const struct node *arg = probe_arg(r->point, 0);
	enum debuginfo how = r->program->platform.debuginfo;
	const struct kernel *k;
	struct target *t;

	if (!arg) {
		t = context_kernel(r->program);
		return t && fn(r, t, data);
	}
	if (!*arg->text || strlen(arg->text) != arg->text_len) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' names no module", arg->text);
		note(arg->loc, "the form is module(\"NAME\") or module(\"/path/NAME.ko\")");
		return false;
	}
	k = kernel_find(r->program->reports, r->program->platform.release);
	if (!k)
		return false;
	if (strpbrk(arg->text, "*?["))
		return each_module(r, arg, k, how, fn, data);
	t = target_open_module(context_opened(r->program), k, arg->text, how, arg->loc);
	return t && fn(r, t, data);
}

uint64_t places_address_base(struct target *t)
{
	return target_module(t) ? target_text(t) : 0;
}

/* ---- no match ---- */
/* "the kernel", "module 'ext4'" */
static const char *described(const struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 0);

	return !arg ? "the kernel" : arena_printf(&program_arena, "%s '%s'", strpbrk(arg->text, "*?[") ? "modules like" : "module",
						  arg->text);
}

/* Files that have the base name of the file WANTED. */
struct same_base {
	const char *wanted, *base;
	const char *inside; /* one in WANTED's directory or deeper: it moved there */
	const char *files[LISTED_MAX];
	int n;
};

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static void add_same_base(struct same_base *s, const char *file)
{
	size_t dir = (size_t)(s->base - s->wanted);

	if (strcmp(base_name(file), s->base))
		return;
	if (dir && !s->inside && !strncmp(file, s->wanted, dir))
		s->inside = file;
	for (int i = 0; i < s->n; i++)
		if (!strcmp(s->files[i], file))
			return;
	if (s->n < LISTED_MAX)
		s->files[s->n++] = file;
}

bool places_note_unknown_file(struct target *t, const struct node *arg)
{
	struct function_query all = { .func = "*", .inlined = true, .outlined = true, .names_only = true };
	const char *at = strchr(arg->text, '@'), *wanted, *meant;
	struct nearest near = {};
	struct same_base same;

	if (!t || !at)
		return false;
	wanted = arena_strndup(&program_arena, at + 1, strcspn(at + 1, ":"));
	all.file = wanted;
	if (!*wanted || target_functions(t, &all))
		return false;
	note(arg->loc, "no function of a file '%s' is known", wanted);
	if (strpbrk(wanted, "*?["))
		return true;
	all.file = NULL;
	near.word = wanted;
	same = (struct same_base){ .wanted = wanted, .base = base_name(wanted) };
	for (const struct place *p = target_functions(t, &all); p; p = p->next) {
		if (!p->file)
			continue;
		nearest_add(&near, p->file);
		add_same_base(&same, p->file);
	}
	meant = same.inside ? same.inside : same.n == 1 ? same.files[0] : same.n ? NULL : nearest_get(&near);
	if (meant)
		note(arg->loc, "did you mean '%.*s@%s'?", (int)(at - arg->text), arg->text, meant);
	for (int i = 0; !meant && i < same.n; i++)
		note(arg->loc, "there is a file '%s'", same.files[i]);
	return true;
}

/* The function looked for in one module after the other. */
struct module_search {
	const struct kernel *kernel;
	const char *func, *module;
	bool found;
};

static void compare_function(const struct kernel_function *f, void *data)
{
	struct module_search *s = data;

	s->found |= !strcmp(f->name, s->func);
}

static void search_module(const char *name, void *data)
{
	struct module_search *s = data;

	if (s->module)
		return;
	s->found = false;
	kernel_module_symbols(s->kernel, name, compare_function, s);
	s->module = s->found ? arena_strdup(&program_arena, name) : NULL;
}

/* A function that the kernel has not may be a module's. */
static bool note_module(const struct resolve *r, const struct target *t, const char *func)
{
	struct module_search s = { .kernel = kernel_find(r->program->reports, r->program->platform.release), .func = func };

	if (!s.kernel || !t || target_module(t) || target_is_user(t) || strpbrk(func, "*?["))
		return false;
	kernel_modules(s.kernel, "*", search_module, &s);
	if (s.module)
		note(probe_arg(r->point, 1)->loc, "it is in module %s: write module(\"%s\").function(\"%s\")", s.module, s.module, func);
	return s.module != NULL;
}

static bool has_function(const char *name, void *data)
{
	struct function_query q = { .func = name, .inlined = true, .outlined = true, .names_only = true };

	return target_functions(data, &q);
}

/* The function of an old kernel has another name here. */
static bool note_renamed(const struct resolve *r, struct target *t, const char *func)
{
	const char *new = t && !target_is_user(t) ? renamed_function(func, has_function, t) : NULL;

	if (new)
		note(probe_arg(r->point, 1)->loc, "'%s' took its place in this kernel", new);
	return new;
}

/* The kernel has a system call of that name. */
static bool note_system_call(const struct resolve *r, const struct target *t, const char *func)
{
	const char *alias = t && !target_module(t) && !target_is_user(t) ? syscall_alias(func) : NULL;

	if (alias)
		note(probe_arg(r->point, 1)->loc, "it is a system call: write syscall.%s", alias);
	return alias;
}

/* The kernel has a tracepoint of that name. */
static bool note_tracepoint(const struct resolve *r, const struct target *t, const char *func)
{
	const struct kernel *k = kernel_find(r->program->reports, r->program->platform.release);
	const char *system = k && t && !target_module(t) && !target_is_user(t) ? trace_system(k, intern(func)) : NULL;

	if (system)
		note(probe_arg(r->point, 1)->loc, "it is a tracepoint: write kernel.trace(\"%s:%s\")", system, func);
	return system;
}

static bool is_same_function(const struct place *a, const struct place *b)
{
	return !strcmp(context_place_name(a), context_place_name(b));
}

/* "path_openat, do_filp_open": the functions that P is inlined into, which have an entry and a return to probe. */
static const char *callers(const struct place *p)
{
	const struct place *seen[LISTED_MAX];
	struct text t = { 0 };
	int n = 0, more = 0;

	for (const struct place *q = p; q; q = q->next) {
		int i = 0;

		/* gcc splits functions: an instance in a function of the same name is no call of another one. */
		if (!q->inlined || !q->container || !strcmp(q->container, p->func) || !is_same_function(p, q))
			continue;
		while (i < n && strcmp(seen[i]->container, q->container))
			i++;
		if (i == LISTED_MAX)
			more++;
		else if (i == n) {
			text_printf(&t, "%s%s", n ? ", " : "", q->container);
			seen[n++] = q;
		}
	}
	if (more)
		text_printf(&t, " ...");
	return n ? text_keep(&t) : NULL;
}

void places_note_there(struct loc loc, const struct place *places)
{
	const struct place *last = NULL;
	int n = 0;

	for (const struct place *p = places; p && n < LISTED_MAX; p = p->next) {
		const char *into = p->inlined ? callers(p) : NULL;

		if (last && is_same_function(last, p))
			continue;
		last = p;
		n++;
		if (into)
			note(loc, "%s is inlined; probe what calls it: %s", context_place_name(p), into);
		else
			note(loc, "%s is %s", context_place_name(p), p->inlined ? "inlined" : "there as a function");
	}
}

void places_warn_inlined(const struct resolve *r, struct target *t, const struct function_query *q, struct loc loc)
{
	struct function_query copies = *q;
	const struct place *p;
	const char *into;

	if (!q->func || strpbrk(q->func, "*?[") || (loc.src && loc.src->tapset) || r->program->output.list)
		return;
	copies.inlined = true;
	copies.outlined = false;
	p = target_functions(t, &copies);
	into = p ? callers(p) : NULL;
	if (!into)
		return;
	warning(loc, DIAG_INLINED, "calls of '%s' that are inlined have no return, and are not probed", q->func);
	note(loc, "%s is inlined into %s", context_place_name(p), into);
}

void places_warn_merged(const struct resolve *r, const struct place *places, const char *path, struct loc loc)
{
	const struct place *p = places;
	bool optional = r->point->optional || r->point->sufficient;
	struct trial *trial = NULL;

	while (p && !p->merged)
		p = p->next;
	for (const struct place *q = places; q && !p; q = q->next)
		p = q->lost ? q : NULL;
	if (!p || (loc.src && loc.src->tapset) || r->program->output.list)
		return;
	/* An optional point that is there says it, too. */
	if (optional)
		trial = trial_switch(r->program->reports, NULL);
	warning(loc, DIAG_INLINED, "calls of '%s' in %s may be missed or counted twice where they are inlined", context_place_name(p), path);
	if (p->merged)
		note(loc, "the compiler merged code of the call at %s:%d with other code: probe a caller, or compile with less optimization",
		     p->call_file ? p->call_file : "?", p->call_line);
	else
		note(loc, "'%s' may have calls that the compiler merged into one: probe that, or compile with less optimization", p->lost);
	if (optional)
		trial_switch(r->program->reports, trial);
}

bool places_no_match(struct resolve *r, struct target *t, const char *func)
{
	struct loc loc = probe_arg(r->point, 1)->loc;
	struct function_query all = { .func = func, .inlined = true, .outlined = true };
	const char *at = strchr(probe_arg(r->point, 1)->text, '@');
	struct nearest near = { .word = func };
	struct place *places;
	bool advised;

	if (r->point->optional)
		return true;
	error(loc, DIAG_NO_MATCH, "'%s' matches nothing in %s", probe_point_text(r->point), described(r));
	advised = habit_note(HABIT_POINT, r->point->loc);
	if (places_note_unknown_file(t, probe_arg(r->point, 1)))
		return false;
	/* Matches of a pattern in other files, or at other lines, do not help. */
	if (at && strpbrk(func, "*?[")) {
		note(loc, "ktap -l '%s.function(\"*@%s\")' lists the functions of the file", t ? target_point(t) : "module(\"*\")",
		     arena_strndup(&program_arena, at + 1, strcspn(at + 1, ":+")));
		return false;
	}
	places = t ? target_functions(t, &all) : NULL;
	places_note_there(loc, places);
	if (places || note_renamed(r, t, func) || program_reports(r->program)->errors > SEARCHES_MAX || note_module(r, t, func) ||
	    note_system_call(r, t, func) || note_tracepoint(r, t, func))
		return false;
	if (t)
		target_function_names(t, nearest_add_name, &near);
	if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else if (!advised)
		note(loc, "ktap -l '%s.function(\"*PART*\")' lists functions by a part of the name",
		     t ? target_point(t) : "module(\"*\")");
	return false;
}

bool places_denied(struct resolve *r, const char *what, const char *why)
{
	struct loc loc = probe_arg(r->point, 1)->loc;

	if (r->point->optional)
		return true;
	error(loc, DIAG_NO_MATCH, "'%s' cannot be probed: %s", what, why);
	note(loc, "probe a function that calls it, or that it calls");
	return false;
}

void places_leave_out(struct resolve *r, const struct place *p, const char *why)
{
	struct program *program = r->program;
	struct left_out *l = arena_new(&program_arena, struct left_out);

	l->what = arena_printf(&program_arena, "%s at %#llx", context_place_name(p), (unsigned long long)p->address);
	l->why = why;
	l->next = program->left_out;
	program->left_out = l;
}

/* ---- callees ---- */
const struct callee_query *places_callee_query(const struct node *arg, bool levels, bool inlined, struct reports *reports)
{
	struct callee_query *q = arena_new(&program_arena, struct callee_query);

	*q = (struct callee_query){ .callee.func = "*", .depth = 1, .outlined = true, .inlined = levels || inlined,
				   .reports = reports };
	if (!levels) {
		if (!function_query_parse(arg, &q->callee))
			return NULL;
	} else if (arg && (arg->num < 1 || arg->num > KT_CALLERS_MAX)) {
		error(arg->loc, DIAG_PROBE_ARG, "%lld levels of callees: expected 1 to %d", (long long)arg->num, KT_CALLERS_MAX);
		return NULL;
	} else if (arg) {
		q->depth = (unsigned)arg->num;
	}
	return q;
}

bool places_no_callee(struct target *t, const struct function_query *callers, const struct callee_query *q, const struct node *arg,
		      struct loc loc)
{
	struct callee_query all = { .callee.func = "*", .depth = q->depth, .inlined = true, .outlined = true,
				    .reports = diag_reports(loc) };
	const struct place *p = target_callees(t, callers, &all);
	struct nearest near = { .word = q->callee.func };

	loc = arg ? arg->loc : loc;
	if (!p) {
		error(loc, DIAG_NO_MATCH, "'%s' calls nothing that is known when it is compiled", callers->func);
		note(loc, "calls through pointers, tail calls and calls of assembler name no function%s",
		     target_is_user(t) ? ", nor does what is compiled without -O" : "");
		return false;
	}
	error(loc, DIAG_NO_MATCH, "'%s' has no callee like '%s'", callers->func, arg ? arg->text : "*");
	for (; p; p = p->next)
		nearest_add_name(p->func, &near);
	if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(loc, "ktap -l '%s.function(\"%s\").callees' lists them", target_point(t), callers->func);
	return false;
}

/* ---- rows ---- */
static uint64_t offset_of(const struct place *p)
{
	return p->symbol ? p->address - p->symbol_address : 0;
}

/* The start of a function of the kernel itself, whoever calls it. */
static bool is_function(const struct context_place *cp)
{
	return !offset_of(cp->place) && !target_module(cp->target) && !cp->place->calls;
}

bool places_is_entry(const struct context_place *cp)
{
	return !cp->at_return && is_function(cp);
}

const char *places_mechanism(const struct probe *pr)
{
	const struct context_place *cp = pr->data;

	if (cp->at_return)
		return is_function(cp) ? "ftrace and return hook" : "kretprobe";
	return is_function(cp) ? "ftrace" : "kprobe";
}

void places_emit_row(struct text *t, const struct probe *pr, const struct context_place *cp)
{
	const struct place *p = cp->place;
	const char *symbol = p->symbol ? p->symbol : p->func, *module = target_module(cp->target);
	uint64_t offset = offset_of(p), address = p->address;

	/* Where a module will be is not known: its own symbols tell. */
	if (module) {
		if (!target_anchor(cp->target, p->address, &symbol, &offset))
			symbol = arena_printf(&program_arena, "%s:%s", module, symbol);
		address = 0;
	}
	text_printf(t, "{ .probe = %d, .kind = %s, .address = %#llxULL, .symbol = ", pr->index,
		    cp->at_return ? "KT_KPROBE_RETURN" : "KT_KPROBE_AT", (unsigned long long)address);
	emit_row_text(t, symbol);
	text_printf(t, ", .offset = %llu", (unsigned long long)offset);
	if (module) {
		text_puts(t, ", .module = ");
		emit_row_text(t, module);
	}
}

bool places_attach(const struct context_place *cp, struct probe_attach *ret)
{
	const struct place *p = cp->place;

	*ret = (struct probe_attach){ .kind = IMAGE_KPROBE, .how = cp->at_return ? KT_KPROBE_RETURN : KT_KPROBE_AT,
				      .symbol = p->symbol ? p->symbol : p->func, .address = p->address, .offset = offset_of(p) };
	return !target_module(cp->target) && !p->calls;
}

/* One address that a call returns to. In a module it is found when the handler is about to run. */
static void emit_call(struct text *t, const struct context_place *cp, uint64_t address)
{
	const char *symbol, *colon;
	uint64_t offset;

	if (!target_module(cp->target) || !target_anchor(cp->target, address, &symbol, &offset)) {
		text_printf(t, "{ .address = %#llxULL }, ", (unsigned long long)address);
		return;
	}
	colon = strchr(symbol, ':');
	text_puts(t, "{ .symbol = &(struct kt_module_symbol){ ");
	text_quote(t, symbol, (size_t)(colon - symbol));
	text_puts(t, ", ");
	text_quote(t, colon + 1, strlen(colon + 1));
	text_printf(t, ", %lluU } }, ", (unsigned long long)offset);
}

void places_emit_calls(struct text *t, const struct context_place *cp)
{
	if (!cp->place->calls)
		return;
	text_puts(t, ", .calls = (const struct kt_kprobe_call[]){ ");
	for (const struct place_calls *c = cp->place->calls; c; c = c->next) {
		for (unsigned i = 0; i < c->n; i++)
			emit_call(t, cp, c->address[i]);
		text_puts(t, "{ 0 }, ");
	}
	text_puts(t, "{ 0 } }");
}

void places_describe(struct text *t, const struct context_place *cp)
{
	const struct place *p = cp->place;
	const char *module = target_module(cp->target);

	if (module)
		text_printf(t, "%s:", module);
	else if (p->address)
		text_printf(t, "%#llx ", (unsigned long long)p->address);
	text_printf(t, "%s+%llu", p->symbol ? p->symbol : p->func, (unsigned long long)offset_of(p));
	if (p->file)
		text_printf(t, " %s:%d", p->file, p->at_line ? p->at_line : p->line);
	if (p->inlined)
		text_printf(t, ", %s%sinlined into %s at %s:%d", p->at_line ? p->func : "", p->at_line ? " " : "",
			    p->container ? p->container : "?", p->call_file ? p->call_file : "?", p->call_line);
}

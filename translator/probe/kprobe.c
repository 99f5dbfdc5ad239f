/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family kprobe: functions by symbol and places by address. No debugging information is needed, and there are no variables.
 *
 *	kprobe.function("NAME")[.call]                         globs over the kernel's symbols
 *	kprobe.function("NAME").return[.maxactive(N)]
 *	kprobe.module("M").function("NAME")...                 a symbol of a module; globs over those that are installed
 *	kprobe.statement(ADDRESS).absolute                     -g
 *	kernel.statement(ADDRESS).absolute                     -g, the same
 *
 * One name is looked up by the running kernel. The functions of a glob, and of a name that several functions have, go by
 * their addresses when the kernel's own image is here to check them against: the running kernel's lookup takes a while
 * for each, and does not tell functions of one name apart.
 */
#include <fnmatch.h>
#include <string.h>

#include "lib/map.h"
#include "translator/probe/entry.h"
#include "translator/probe/probe.h"
#include "translator/probe/renamed.h"

enum variant {
	KP_FUNCTION,
	KP_RETURN,
	KP_MODULE,
	KP_MODULE_RETURN,
	KP_ABSOLUTE,
};

/* probe->data */
struct kprobe_probe {
	enum variant variant;
	const char *symbol;    /* NULL: an address alone */
	const char *anchor;    /* a loaded module finds the function by this symbol; NULL: by its own */
	uint64_t offset;       /* from there */
	const char *module;    /* NULL: the kernel itself */
	uint64_t address;      /* 0: by symbol alone */
	unsigned maxactive;
	struct entry_values entry; /* return probes */
};

static const struct probe_pattern patterns[] = {
	{ "kprobe.function(string)", KP_FUNCTION },
	{ "kprobe.function(string).call", KP_FUNCTION },
	{ "kprobe.function(string).return", KP_RETURN },
	{ "kprobe.function(string).return.maxactive(number)", KP_RETURN },
	{ "kprobe.module(string).function(string)", KP_MODULE },
	{ "kprobe.module(string).function(string).call", KP_MODULE },
	{ "kprobe.module(string).function(string).return", KP_MODULE_RETURN },
	{ "kprobe.module(string).function(string).return.maxactive(number)", KP_MODULE_RETURN },
	{ "kprobe.statement(number).absolute", KP_ABSOLUTE },
	{ "kernel.statement(number).absolute", KP_ABSOLUTE },
	{ NULL, 0 },
};

/* ---- symbols ---- */
/* The functions that match, and how many matched that no probe can be set at. */
struct search {
	struct resolve *r;
	const struct kernel *k;
	const char *pattern;
	const char *module;         /* NULL: the kernel */
	int n_modules;              /* of a glob, so far */
	unsigned maxactive;
	bool glob;
	bool addresses;             /* of all functions are used, not only where several have one name */
	bool any_address;
	struct kprobe_probe *first; /* of a name without globs: made when it is known whether there are more */
	int n;
	struct map seen;            /* names that have a probe */
	const char *denied;
	struct nearest near;
};

/* How the point is written for SYMBOL, of MODULE, alone, with the components after function() as they were. */
static const char *symbol_pp(const struct resolve *r, const char *symbol, const char *module)
{
	struct text t = {};

	for (const struct component *c = r->point->parts; c; c = c->next) {
		text_printf(&t, "%s%s", c == r->point->parts ? "" : ".", c->name);
		if (c->arg && c->arg->kind == ND_NUM)
			text_printf(&t, "(%lld)", c->arg->num);
		else if (c->arg)
			text_printf(&t, "(\"%s\")", strcmp(c->name, "function") ? module : symbol);
	}
	return text_keep(&t);
}

static struct kprobe_probe *add_symbol(struct search *s, const char *symbol, uint64_t address)
{
	struct kprobe_probe *kp = arena_new(&program_arena, struct kprobe_probe);

	kp->variant = (enum variant)s->r->pattern->id;
	kp->symbol = intern(symbol);
	kp->address = address;
	kp->module = s->module ? intern(kernel_module_name(s->module)) : NULL;
	kp->maxactive = s->maxactive;
	probe_add(s->r, &probe_family_kprobe, symbol_pp(s->r, kp->symbol, s->module), kp);
	return kp;
}

/* Of the probes made for the module that is searched now, or for the kernel. Of the kernel's symbols of a name one is enough, of a module's
 * those at one address are one. */
static bool is_there(struct search *s, const struct kernel_function *f)
{
	size_t n = s->seen.n;

	map_add(&s->seen, f->file ? arena_printf(&program_arena, "%s %llx", f->name, (unsigned long long)f->address) : intern(f->name), 0);
	return s->seen.n == n;
}

/* Does a probe of VARIANT hook the return? */
static bool hooks_return(enum variant variant)
{
	return variant == KP_RETURN || variant == KP_MODULE_RETURN;
}

/* Callback of kernel_symbols() and kernel_module_symbols(). */
static void match_symbol(const struct kernel_function *f, void *data)
{
	const char *name = f->name, *denied = f->denied;
	const struct kernel_function *named;
	struct search *s = data;
	bool by_address;

	if (s->glob ? fnmatch(s->pattern, name, 0) != 0 : strcmp(s->pattern, name) != 0)
		return;
	if (!denied && hooks_return((enum variant)s->r->pattern->id) && strstr(name, ".cold"))
		denied = "it is a part that its function jumps to, and does not return by itself";
	/* The kernel would take the first of several functions of one name. */
	by_address = s->addresses || (!s->module && kernel_functions_named(s->k, name, &named) > 1);
	/* ftrace takes an address without asking whether kprobes may be set there. */
	if (!denied && by_address && context_kernel(s->r->program))
		denied = target_denied(context_kernel(s->r->program), f->address);
	if (denied) {
		s->denied = denied;
		return;
	}
	if (!by_address && is_there(s, f))
		return;
	s->any_address |= by_address;
	s->first = add_symbol(s, name, by_address ? f->address : 0);
	if (f->file)
		kernel_function_anchor(f, &s->first->anchor, &s->first->offset);
	s->n++;
}

static void near_symbol(const struct kernel_function *f, void *data)
{
	nearest_add(data, arena_strdup(&program_arena, f->name));
}

struct symbol_query {
	struct program *program;
	const struct kernel *kernel;
	const char *name;
	bool found;
};

static void compare_symbol(const struct kernel_function *f, void *data)
{
	struct symbol_query *q = data;

	q->found |= !f->denied && !strcmp(f->name, q->name);
}

/* Callback of renamed_function(). */
static bool has_symbol(const char *name, void *data)
{
	struct symbol_query *q = data;
	struct function_query outlined = { .func = name, .outlined = true };

	q->name = name;
	q->found = false;
	return kernel_symbols(q->kernel, compare_symbol, q) ? q->found : target_functions(context_kernel(q->program), &outlined) != NULL;
}

/* Notes the function that took the place of the pattern's, or a name like it. False: there is neither. */
static bool note_instead(struct search *s, struct loc loc)
{
	struct symbol_query q = { .program = s->r->program, .kernel = kernel_find(s->r->program->reports, s->r->program->platform.release) };
	const char *new = q.kernel ? renamed_function(s->pattern, has_symbol, &q) : NULL;

	if (new)
		note(loc, "'%s' took its place in this kernel", new);
	else if (nearest_get(&s->near))
		note(loc, "did you mean '%s'?", nearest_get(&s->near));
	return new || nearest_get(&s->near);
}

/* Without System.map: the functions that debugging information describes. It does not know those written in assembler, so
 * a name that it lacks is left to the running kernel. */
static bool search_target(struct search *s)
{
	struct loc loc = probe_arg(s->r->point, 1)->loc;
	struct function_query q = { .func = s->pattern, .outlined = true };
	struct target *t = context_kernel(s->r->program);
	const char *last = NULL;

	if (!t)
		return false;
	for (const struct place *p = target_functions(t, &q); p; p = p->next) {
		const char *symbol = intern(p->symbol ? p->symbol : p->func);

		if (symbol == last)
			continue;
		last = symbol;
		match_symbol(&(struct kernel_function){ symbol, p->address, target_denied(t, p->address), NULL }, s);
	}
	if (s->n || s->denied)
		return true;
	target_function_names(t, nearest_add_name, &s->near);
	if (s->glob || s->r->point->optional)
		return true;
	warning(loc, DIAG_NO_MATCH, "'%s' is not among the functions that this kernel's debugging information has", s->pattern);
	note_instead(s, loc);
	note(loc, "the running kernel will be asked");
	add_symbol(s, s->pattern, 0);
	return true;
}

static bool report_no_match(struct search *s)
{
	struct loc loc = probe_arg(s->r->point, 1)->loc;

	if (s->r->point->optional)
		return true;
	if (s->denied) {
		error(loc, DIAG_NO_MATCH, "'%s' cannot be probed: %s", s->pattern, s->denied);
		note(loc, "probe a function that calls it, or that it calls");
		return false;
	}
	error(loc, DIAG_NO_MATCH, "'%s' matches no function of the kernel", s->pattern);
	if (!note_instead(s, loc))
		note(loc, "inlined functions have no symbol: kernel.function(\"%s\") finds them", s->pattern);
	return false;
}

static bool resolve_kernel(struct resolve *r, unsigned maxactive)
{
	const struct node *arg = probe_arg(r->point, 1);
	const struct kernel *k = kernel_find(r->program->reports, r->program->platform.release);
	struct search s = { .r = r, .k = k, .pattern = arg->text, .maxactive = maxactive, .near = { .word = arg->text } };
	const struct kernel_function *named;
	bool mapped;

	if (!k)
		return false;
	s.glob = strpbrk(arg->text, "*?[") != NULL;
	/* BTF asked for: as on a machine that has nothing else. */
	s.addresses = k->vmlinux && r->program->platform.debuginfo != DEBUGINFO_BTF;
	mapped = kernel_symbols(k, match_symbol, &s);
	/* The kernel may know what ThinLTO renamed by another name than its table. */
	if (!s.n && !s.denied && strstr(arg->text, ".llvm."))
		mapped = false;
	if (!mapped && !search_target(&s))
		return false;
	if (!s.glob && s.n == 1 && kernel_functions_named(k, arg->text, &named) < 2)
		s.first->address = 0;
	else if (s.any_address && !context_kernel(r->program)) /* where it runs, addresses count from a symbol there */
		return false;
	if (r->found)
		return true;
	if (mapped && !s.glob)
		kernel_symbols(k, near_symbol, &s.near);
	return report_no_match(&s);
}

/* ---- modules and addresses ---- */
/* The symbols of one module that match. */
static void search_module(const char *name, void *data)
{
	struct search *s = data;

	s->module = intern(name);
	s->n_modules++;
	map_clear(&s->seen);
	kernel_module_symbols(kernel_find(s->r->program->reports, s->r->program->platform.release), name, match_symbol, s);
}

static bool report_no_symbol(struct search *s, const struct kernel *k, const struct node *module, const struct node *arg)
{
	const char *why = s->denied;

	if (s->r->point->optional)
		return true;
	if (why) {
		error(arg->loc, DIAG_NO_MATCH, "'%s' cannot be probed: %s", arg->text, why);
		note(arg->loc, "probe a function that calls it, or that it calls");
		return false;
	}
	error(arg->loc, DIAG_NO_MATCH, "'%s' matches no function of the module%s '%s'", arg->text,
	      strpbrk(module->text, "*?[") ? "s" : "", module->text);
	if (!strpbrk(module->text, "*?["))
		kernel_module_symbols(k, module->text, near_symbol, &s->near);
	if (nearest_get(&s->near))
		note(arg->loc, "did you mean '%s'?", nearest_get(&s->near));
	else
		note(arg->loc, "inlined functions have no symbol: module(\"%s\").function(\"%s\") finds them", module->text, arg->text);
	return false;
}

/* The module is not installed: its symbols are known when it is loaded. */
static bool resolve_elsewhere(struct search *s, const struct kernel *k, const struct node *module, const struct node *arg)
{
	struct nearest near = { .word = module->text };

	if (s->glob || strpbrk(module->text, "*?[")) {
		if (s->r->point->optional)
			return true;
		error(s->glob ? arg->loc : module->loc, DIAG_NO_MATCH, "no module '%s' is installed for kernel %s whose symbols a "
		      "wildcard could choose from", module->text, k->release);
		note(arg->loc, "one symbol can be named of a module that is loaded from elsewhere");
		return false;
	}
	kernel_modules(k, "*", nearest_add_name, &near);
	if (nearest_get(&near)) {
		warning(module->loc, DIAG_NO_MATCH, "no module '%s' is installed for kernel %s", module->text, k->release);
		note(module->loc, "did you mean '%s'? It is waited for all the same", nearest_get(&near));
	}
	add_symbol(s, arg->text, 0);
	return true;
}

static bool resolve_module(struct resolve *r, unsigned maxactive)
{
	const struct node *module = probe_arg(r->point, 1), *arg = probe_arg(r->point, 2);
	const struct kernel *k = kernel_find(r->program->reports, r->program->platform.release);
	struct search s = { .r = r, .pattern = arg->text, .maxactive = maxactive, .near = { .word = arg->text } };
	enum module_found found = MODULE_INSTALLED;

	if (!k)
		return false;
	s.glob = strpbrk(arg->text, "*?[") != NULL;
	s.module = module->text;
	if (!strpbrk(module->text, "*?["))
		found = kernel_module_symbols(k, module->text, match_symbol, &s);
	else
		kernel_modules(k, module->text, search_module, &s);
	if (r->found)
		return true;
	if (strpbrk(module->text, "*?[") && !s.n_modules)
		found = MODULE_ELSEWHERE;
	switch (found) {
	case MODULE_INSTALLED:
		return report_no_symbol(&s, k, module, arg);
	case MODULE_ELSEWHERE:
		return resolve_elsewhere(&s, k, module, arg);
	case MODULE_BUILT_IN:
		if (r->point->optional)
			return true;
		error(module->loc, DIAG_NO_MATCH, "'%s' is no module of kernel %s, it is built in", module->text, k->release);
		note(module->loc, "kprobe.function(\"%s\") reaches it", arg->text);
		return false;
	}
	bug("module %d", (int)found);
}

static bool resolve_absolute(struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 1);
	struct kprobe_probe *kp;

	if (!r->program->language.guru) {
		error(r->point->loc, DIAG_GURU, "a probe at an absolute address needs -g");
		note(r->point->loc, "the kernel checks little: in the middle of an instruction it changes what the code does");
		return false;
	}
	kp = arena_new(&program_arena, struct kprobe_probe);
	kp->variant = KP_ABSOLUTE;
	kp->address = (uint64_t)arg->num;
	probe_add(r, &probe_family_kprobe,
		  arena_printf(&program_arena, "%s.statement(%#llx).absolute", r->point->parts->name,
			       (unsigned long long)arg->num), kp);
	return true;
}

static bool resolve(struct resolve *r)
{
	enum variant variant = (enum variant)r->pattern->id;
	const struct node *name = NULL;
	unsigned maxactive = 0;

	for (int i = 1; variant != KP_ABSOLUTE && i < (variant >= KP_MODULE ? 3 : 2); i++) {
		name = probe_arg(r->point, i);
		if (*name->text && strlen(name->text) == name->text_len && !strpbrk(name->text, "@: "))
			continue;
		error(name->loc, DIAG_PROBE_ARG, "'%s' is no symbol", name->text);
		note(name->loc, "the form is the function's name alone; kernel.function() knows files and lines");
		return false;
	}
	switch (variant) {
	case KP_FUNCTION:
	case KP_RETURN:
		return probe_maxactive(probe_arg(r->point, 3), &maxactive) && resolve_kernel(r, maxactive);
	case KP_MODULE:
	case KP_MODULE_RETURN:
		return probe_maxactive(probe_arg(r->point, 4), &maxactive) && resolve_module(r, maxactive);
	case KP_ABSOLUTE:
		return resolve_absolute(r);
	}
	bug("kprobe variant %d", (int)variant);
}

/* ---- output ---- */
static bool is_return(const struct kprobe_probe *kp)
{
	return hooks_return(kp->variant);
}

/* ---- values of the entry ---- */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct kprobe_probe *kp = pr->data;
	struct kprobe_probe *own = arena_new(&program_arena, struct kprobe_probe);

	*own = *kp;
	own->variant = kp->variant == KP_RETURN ? KP_FUNCTION : KP_MODULE;
	own->entry = (struct entry_values){ 0 };
	helper->data = own;
	helper->pp = arena_strndup(&program_arena, pr->pp, (size_t)(strstr(pr->pp, ").return") + 1 - pr->pp));
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	static const struct context_place at_return = { .at_return = true, .is_tracepoint = true };
	struct kprobe_probe *kp = pr->data;

	if ((*np)->kind == ND_ENTRY && is_return(kp))
		return entry_variable(p, pr, &kp->entry, &at_return, make_entry, np, asked);
	error((*np)->loc, DIAG_TARGET_VAR, "probe '%s' has no target variables", pr->pp);
	if (is_return(kp) && (*np)->name && !strcmp((*np)->name, "$return"))
		note((*np)->loc, "write returnval(), which needs no debugging information");
	else
		note((*np)->loc, "they exist in probes on functions; use @defined() where they may be absent");
	return false;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct kprobe_probe *kp = pr->data;
	const char *symbol = kp->symbol ? kp->symbol : pr->pp;

	if (kp->module)
		symbol = arena_printf(&program_arena, "%s:%s", kp->module, kp->anchor ? kp->anchor : kp->symbol);
	text_printf(t, "{ .probe = %d, .kind = %s, .address = %#llxULL, .symbol = ", pr->index,
		    is_return(kp) ? "KT_KPROBE_RETURN" : "KT_KPROBE_AT", (unsigned long long)kp->address);
	emit_row_text(t, symbol);
	if (kp->offset)
		text_printf(t, ", .offset = %llu", (unsigned long long)kp->offset);
	if (kp->module) {
		text_puts(t, ", .module = ");
		emit_row_text(t, kp->module);
	}
	if (kp->variant == KP_ABSOLUTE)
		text_puts(t, ", .absolute = 1");
	if (kp->maxactive)
		text_printf(t, ", .maxactive = %u", kp->maxactive);
	if (kp->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d, .registers = %#xU", kp->entry.helper->index, kp->entry.room,
			    probe_registers(kp->entry.helper));
	if (!is_return(kp))
		text_printf(t, ", .registers = %#xU", probe_registers(pr));
	text_puts(t, " },");
}

static const char *mechanism(const struct probe *pr)
{
	const struct kprobe_probe *kp = pr->data;

	switch (kp->variant) {
	case KP_FUNCTION:
		return "ftrace";
	case KP_RETURN:
		return "ftrace and return hook";
	case KP_MODULE_RETURN:
		return "kretprobe";
	case KP_MODULE:
	case KP_ABSOLUTE:
		return "kprobe";
	}
	bug("kprobe variant %d", (int)kp->variant);
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct kprobe_probe *kp = pr->data;

	if (kp->address)
		text_printf(t, "%#llx ", (unsigned long long)kp->address);
	if (kp->module)
		text_printf(t, "%s:", kp->module);
	text_printf(t, "%s%s%s", kp->symbol ? kp->symbol : "absolute", kp->symbol && !kp->address ? ", by symbol, " : ", ",
		    mechanism(pr));
}

const struct probe_family probe_family_kprobe = {
	.name = "kprobe",
	.id = KT_FAMILY_KPROBE,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.emit_row = emit_row,
	.describe = describe,
	.mechanism = mechanism,
};

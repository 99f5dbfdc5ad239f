/* Family function: kernel functions, by name, file and line: their out-of-line copies, inlined instances, returns.
 *
 *	kernel.function("FUNC[@FILE[:LINE]]")  all of .call and .inline
 *	    .call .inline .exported            copies; instances; copies that modules may call
 *	    .return[.maxactive(N)]             when a copy returns
 */
#include <stdlib.h>
#include <string.h>

#include "translator/options.h"
#include "translator/probe/entry.h"

enum variant {
	FN_ANY,
	FN_CALL,
	FN_INLINE,
	FN_EXPORTED,
	FN_RETURN,
	FN_MODULE, /* refused */
};

enum { LISTED_MAX = 5 };

/* What probe->data points at. */
struct function_probe {
	struct context_place cp;
	unsigned maxactive;
	struct entry_values entry; /* return probes */
};

static const struct probe_pattern patterns[] = {
	{ "kernel.function(string)", FN_ANY },
	{ "kernel.function(string).call", FN_CALL },
	{ "kernel.function(string).inline", FN_INLINE },
	{ "kernel.function(string).exported", FN_EXPORTED },
	{ "kernel.function(string).return", FN_RETURN },
	{ "kernel.function(string).return.maxactive(number)", FN_RETURN },
	{ "module(string).function(string)", FN_MODULE },
	{ "module(string).function(string).call", FN_MODULE },
	{ "module(string).function(string).inline", FN_MODULE },
	{ "module(string).function(string).exported", FN_MODULE },
	{ "module(string).function(string).return", FN_MODULE },
	{ "module(string).function(string).return.maxactive(number)", FN_MODULE },
	{ NULL, 0 },
};

/* Splits FUNC[@FILE[:LINE]]. */
static bool parse_query(const struct node *arg, struct function_query *q)
{
	const char *text = arg->text, *at = strchr(text, '@'), *colon = at ? strrchr(at, ':') : NULL;
	char *end = NULL;
	long line;

	q->func = at ? arena_strndup(&program_arena, text, (size_t)(at - text)) : text;
	if (colon) {
		line = strtol(colon + 1, &end, 10);
		if (line <= 0 || line > 10000000 || *end)
			return error(arg->loc, DIAG_PROBE_ARG, "'%s' is no line number", colon + 1);
		q->line = (int)line;
	}
	if (at)
		q->file = colon ? arena_strndup(&program_arena, at + 1, (size_t)(colon - at - 1)) : at + 1;
	if (!*q->func || (q->file && !*q->file) || strlen(text) != arg->text_len) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' names no function", text);
		note(arg->loc, "the form is \"FUNCTION\", \"FUNCTION@FILE\" or \"FUNCTION@FILE:LINE\"");
		return false;
	}
	return true;
}

/* ---- no match ---- */
/* Why does the query find nothing: other files, only the other variant, or no such function at all? */
static bool report_no_match(struct resolve *r, struct target *t, const struct function_query *q)
{
	struct loc loc = probe_arg(r->point, 1)->loc;
	struct function_query all = { .func = q->func, .inlined = true, .outlined = true };
	struct nearest near = { .word = q->func };
	struct place *places;
	const char *last = NULL;
	int n = 0;

	if (r->point->optional)
		return true;
	if (!target_has_lines(t) && (q->file || q->line || !q->outlined)) {
		error(loc, DIAG_NO_DEBUGINFO, "'%s' asks for %s, which this kernel's BTF does not tell",
		      probe_point_text(r->point), q->outlined ? "a file" : "inlined instances");
		target_note_install(t, loc);
		return false;
	}
	error(loc, DIAG_NO_MATCH, "'%s' matches nothing in the kernel", probe_point_text(r->point));
	places = target_functions(t, &all);
	for (const struct place *p = places; p && n < LISTED_MAX; p = p->next) {
		const char *name = context_place_name(p);

		if (last && !strcmp(last, name))
			continue;
		last = name;
		n++;
		note(loc, "%s is %s", name, p->inlined ? "inlined" : "there as a function");
	}
	if (places)
		return false;
	target_function_names(t, nearest_add_name, &near);
	if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(loc, "ktap -l 'kernel.function(\"*PART*\")' lists functions by a part of the name");
	return false;
}

/* ---- resolving ---- */
/* How the point is written for this place alone, with the components after function() as they were. */
static const char *place_pp(const struct resolve *r, const struct place *p)
{
	struct text t = {};
	const char *s;

	text_printf(&t, "kernel.function(\"%s\")", context_place_name(p));
	for (const struct component *c = r->point->parts->next->next; c; c = c->next) {
		text_printf(&t, ".%s", c->name);
		if (c->arg)
			text_printf(&t, "(%lld)", c->arg->num);
	}
	s = arena_strdup(&program_arena, text_str(&t));
	text_deinit(&t);
	return s;
}

/* Modules can call it: the kernel keeps an entry in its export table. */
static bool is_exported(struct target *t, const struct place *p)
{
	_cleanup_free_ char *entry = xasprintf("__ksymtab_%s", p->func);

	return target_symbol(t, entry) != 0;
}

/* All places of the query are denied: say why of the last. */
static bool report_denied(struct resolve *r, const struct place *p, const char *why)
{
	struct loc loc = probe_arg(r->point, 1)->loc;

	if (r->point->optional)
		return true;
	error(loc, DIAG_NO_MATCH, "'%s' cannot be probed: %s", p->func, why);
	note(loc, "probe a function that calls it, or that it calls");
	return false;
}

/* One probe for each place; those that kprobes refuse are left out while others remain. */
static bool resolve(struct resolve *r)
{
	enum variant variant = (enum variant)r->pattern->id;
	struct function_query q = { .inlined = variant == FN_ANY || variant == FN_INLINE,
				    .outlined = variant != FN_INLINE };
	const struct options *opt = r->program->options;
	const struct place *denied = NULL;
	const char *why = NULL;
	struct target *t;
	unsigned max = 0;

	if (variant == FN_MODULE) {
		error(r->point->loc, DIAG_UNSUPPORTED, "probes in modules are not supported yet");
		note(r->point->loc, "kernel.function() reaches what is built into the kernel; "
				    "kprobe.module(\"M\").function(\"NAME\") probes functions of modules by symbol");
		return false;
	}
	if (!parse_query(probe_arg(r->point, 1), &q) || !probe_maxactive(probe_arg(r->point, 3), &max))
		return false;
	t = context_kernel(r->program);
	if (!t)
		return false;
	q.names_only = opt && opt->list && !opt->list_variables;
	for (struct place *p = target_functions(t, &q); p; p = p->next) {
		struct function_probe *fp;

		if (variant == FN_EXPORTED && !is_exported(t, p))
			continue;
		if (target_denied(t, p->address)) {
			why = target_denied(t, p->address);
			denied = p;
			continue;
		}
		fp = arena_new(&program_arena, struct function_probe);
		fp->cp = (struct context_place){ .target = t, .place = p, .at_return = variant == FN_RETURN };
		fp->maxactive = max;
		probe_add(r, &probe_family_function, place_pp(r, p), fp);
	}
	if (r->found)
		return true;
	return denied ? report_denied(r, denied, why) : report_no_match(r, t, &q);
}

/* ---- variables ---- */
/* What the helper of a return probe is. */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct function_probe *fp = pr->data;
	struct function_probe *own = arena_new(&program_arena, struct function_probe);

	own->cp = fp->cp;
	own->cp.at_return = false;
	helper->data = own;
	helper->pp = arena_printf(&program_arena, "kernel.function(\"%s\").call", context_place_name(fp->cp.place));
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool quiet)
{
	struct function_probe *fp = pr->data;

	return entry_variable(p, pr, &fp->entry, &fp->cp, make_entry, np, quiet);
}

/* ---- output ---- */
/* Where the kit prefers ftrace. */
static bool is_entry(const struct function_probe *fp)
{
	const struct place *p = fp->cp.place;

	return !fp->cp.at_return && !p->inlined && (!p->symbol || p->address == p->symbol_address);
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct function_probe *fp = pr->data;
	const struct place *p = fp->cp.place;
	const char *symbol = p->symbol ? p->symbol : p->func;

	/* The return probe's row names it. */
	if (pr->helper)
		return;
	text_printf(t, "{ .probe = %d, .kind = %s, .address = %#llxULL, .symbol = ", pr->index,
		    fp->cp.at_return ? "KT_KPROBE_RETURN" : "KT_KPROBE_AT", (unsigned long long)p->address);
	text_quote(t, symbol, strlen(symbol));
	text_printf(t, ", .offset = %llu", (unsigned long long)(p->symbol ? p->address - p->symbol_address : 0));
	if (fp->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d", fp->entry.helper->index, fp->entry.slots);
	if (fp->maxactive)
		text_printf(t, ", .maxactive = %u", fp->maxactive);
	if (is_entry(fp))
		text_printf(t, ", .registers = %#xU", probe_registers(pr));
	text_puts(t, " },");
}

static const char *mechanism(const struct probe *pr)
{
	const struct function_probe *fp = pr->data;

	return fp->cp.at_return ? "kretprobe" : is_entry(fp) ? "ftrace" : "kprobe";
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct function_probe *fp = pr->data;
	const struct place *p = fp->cp.place;

	if (p->address)
		text_printf(t, "%#llx ", (unsigned long long)p->address);
	text_printf(t, "%s+%llu", p->symbol ? p->symbol : p->func,
		    (unsigned long long)(p->symbol ? p->address - p->symbol_address : 0));
	if (p->file)
		text_printf(t, " %s:%d", p->file, p->line);
	if (p->inlined)
		text_printf(t, ", inlined into %s at %s:%d", p->container ? p->container : "?",
			    p->call_file ? p->call_file : "?", p->call_line);
	text_printf(t, ", %s", pr->helper ? "at the entry of the kretprobe" : mechanism(pr));
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	const struct function_probe *fp = pr->data;

	context_list(&fp->cp, fn, data);
}

const struct probe_family probe_family_function = {
	.name = "function",
	.id = KT_FAMILY_KPROBE,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.emit_row = emit_row,
	.describe = describe,
	.list_variables = list_variables,
	.mechanism = mechanism,
};

/* Family statement: lines of kernel functions, and addresses in them, with the variables in scope there.
 *
 *	kernel.statement("FUNC[@FILE[:LINES]]")[.nearest]
 *	    LINES: N, M-N, * (all lines), +N or +M-N (counted from the line where the function is declared)
 *	kernel.statement(ADDRESS)              as linked: what System.map and the debugging information say
 */
#include <stdlib.h>
#include <string.h>

#include "translator/options.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"

enum variant {
	ST_LINES,
	ST_NEAREST,
	ST_ADDRESS,
	ST_MODULE, /* refused */
};

enum { LINE_MAX_NUMBER = 10000000 };

static const struct probe_pattern patterns[] = {
	{ "kernel.statement(string)", ST_LINES },
	{ "kernel.statement(string).nearest", ST_NEAREST },
	{ "kernel.statement(number)", ST_ADDRESS },
	{ "module(string).statement(string)", ST_MODULE },
	{ "module(string).statement(string).nearest", ST_MODULE },
	{ "module(string).statement(number)", ST_MODULE },
	{ NULL, 0 },
};

/* ---- the argument ---- */
/* N at *S, which moves behind it; false: no number of a line is there. */
static bool number(const char **s, int *ret)
{
	char *end;
	long v;

	if (**s < '0' || **s > '9')
		return false;
	v = strtol(*s, &end, 10);
	*s = end;
	*ret = (int)v;
	return v <= LINE_MAX_NUMBER;
}

static bool parse_lines(const char *s, struct line_query *q)
{
	if (!strcmp(s, "*")) {
		q->last = LINE_MAX_NUMBER;
		return true;
	}
	q->relative = *s == '+';
	s += q->relative;
	if (!number(&s, &q->first))
		return false;
	q->last = q->first;
	if (*s == '-') {
		s++;
		if (!number(&s, &q->last))
			return false;
	}
	return !*s && q->first <= q->last && (q->relative || q->first > 0);
}

/* Splits FUNC[@FILE[:LINES]]; *ret_lines says whether lines are named. */
static bool parse_query(const struct node *arg, struct line_query *q, bool *ret_lines)
{
	const char *text = arg->text, *at = strchr(text, '@'), *colon = at ? strrchr(at, ':') : NULL;

	*ret_lines = colon != NULL;
	q->func = at ? arena_strndup(&program_arena, text, (size_t)(at - text)) : text;
	if (at)
		q->file = colon ? arena_strndup(&program_arena, at + 1, (size_t)(colon - at - 1)) : at + 1;
	if (colon && !parse_lines(colon + 1, q)) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' is no line", colon + 1);
		note(arg->loc, "the forms are N, M-N, *, and +N from the start of the function");
		return false;
	}
	if (!*q->func || (q->file && !*q->file) || strlen(text) != arg->text_len || strchr(q->func, ':')) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' names no statement", text);
		note(arg->loc, "the form is \"FUNCTION@FILE:LINE\"; \"*@FILE:LINE\" is that line in any function");
		return false;
	}
	return true;
}

/* ---- resolving ---- */
static const char *place_text(const struct place *p)
{
	if (!p->at_line || !p->file)
		return context_place_name(p);
	return arena_printf(&program_arena, "%s@%s:%d", p->func, p->file, p->at_line);
}

/* How the script counts the line of P. */
static int counted(const struct line_query *q, const struct place *p)
{
	return q->relative ? p->at_line - p->line : p->at_line;
}

/* The places that can be probed; *WHY of one that cannot. */
static void add_places(struct resolve *r, struct target *t, const struct place *p, const char **why)
{
	for (; p; p = p->next) {
		const char *denied = target_denied(t, p->address);
		struct context_place *cp;
		const char *pp;

		if (denied) {
			*why = denied;
			continue;
		}
		cp = arena_new(&program_arena, struct context_place);
		*cp = (struct context_place){ .target = t, .place = p };
		pp = r->pattern->id == ST_ADDRESS
			     ? arena_printf(&program_arena, "kernel.statement(%#llx)", (unsigned long long)p->address)
			     : arena_printf(&program_arena, "kernel.statement(\"%s\")", place_text(p));
		probe_add(r, &probe_family_statement, pp, cp);
	}
}

/* Lines with code around the one that has none: *ret_before and *ret_after, -1: none. The functions' other lines. */
static bool neighbours(struct target *t, const struct line_query *q, int *ret_before, int *ret_after)
{
	struct line_query all = *q;

	*ret_before = *ret_after = -1;
	all.first = q->relative ? 0 : 1;
	all.last = LINE_MAX_NUMBER;
	for (const struct place *p = target_lines(t, &all); p; p = p->next) {
		int line = counted(q, p);

		if (line < q->first && line > *ret_before)
			*ret_before = line;
		if (line > q->last && (*ret_after < 0 || line < *ret_after))
			*ret_after = line;
	}
	return *ret_before >= 0 || *ret_after >= 0;
}

static bool report_no_match(struct resolve *r, struct target *t, const struct line_query *q)
{
	struct loc loc = probe_arg(r->point, 1)->loc;
	struct function_query fq = { .func = q->func, .inlined = true, .outlined = true };
	struct nearest near = { .word = q->func };
	const char *plus = q->relative ? "+" : "";
	const struct place *places;
	int before, after;

	if (r->point->optional)
		return true;
	if (neighbours(t, q, &before, &after)) {
		error(loc, DIAG_NO_MATCH, "no code begins at '%s'", probe_arg(r->point, 1)->text);
		if (before >= 0 && after >= 0)
			note(loc, "the nearest lines with code are %s%d and %s%d", plus, before, plus, after);
		else
			note(loc, "the nearest line with code is %s%d", plus, before >= 0 ? before : after);
		note(loc, ".nearest takes it");
		return false;
	}
	error(loc, DIAG_NO_MATCH, "'%s' matches nothing in the kernel", probe_point_text(r->point));
	places = target_functions(t, &fq);
	if (places) {
		note(loc, "there is %s", context_place_name(places));
		return false;
	}
	target_function_names(t, nearest_add_name, &near);
	if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(loc, "ktap -l 'kernel.function(\"*PART*\")' lists functions by a part of the name");
	return false;
}

static bool report_denied(struct resolve *r, const char *why)
{
	if (r->point->optional)
		return true;
	error(probe_arg(r->point, 1)->loc, DIAG_NO_MATCH, "'%s' cannot be probed: %s", probe_point_text(r->point), why);
	note(r->point->loc, "probe a function that calls it, or that it calls");
	return false;
}

/* The places of a line or range; with .nearest, of the line with code that is nearest to it. */
static const struct place *find_lines(struct target *t, const struct line_query *q, bool nearest)
{
	const struct place *p = target_lines(t, q);
	struct line_query near = *q;
	int before, after;

	if (p || !nearest || !neighbours(t, q, &before, &after))
		return p;
	/* At equal distance the later one: it runs after what was meant. */
	near.first = before < 0 || (after >= 0 && after - q->last <= q->first - before) ? after : before;
	near.last = near.first;
	return target_lines(t, &near);
}

static bool resolve_lines(struct resolve *r, struct target *t)
{
	const struct node *arg = probe_arg(r->point, 1);
	struct line_query q = {};
	const char *why = NULL;
	bool has_lines;

	if (!parse_query(arg, &q, &has_lines))
		return false;
	if (!has_lines) {
		struct function_query fq = { .func = q.func, .file = q.file, .inlined = true, .outlined = true };

		add_places(r, t, target_functions(t, &fq), &why);
	} else if (target_has_lines(t)) {
		add_places(r, t, find_lines(t, &q, r->pattern->id == ST_NEAREST), &why);
	} else if (!r->point->optional) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "'%s' asks for a line, which this kernel's BTF does not tell", arg->text);
		target_note_install(t, arg->loc);
		return false;
	}
	if (r->found)
		return true;
	return why ? report_denied(r, why) : report_no_match(r, t, &q);
}

static bool resolve_address(struct resolve *r, struct target *t)
{
	const struct node *arg = probe_arg(r->point, 1);
	const char *why = NULL;

	if (!target_has_lines(t)) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "BTF does not tell what is at %#llx", (unsigned long long)arg->num);
		note(arg->loc, "-g and .absolute probe an address of the running kernel");
		return false;
	}
	add_places(r, t, target_place_at(t, (uint64_t)arg->num), &why);
	if (r->found || r->point->optional)
		return true;
	if (why)
		return report_denied(r, why);
	error(arg->loc, DIAG_NO_MATCH, "no function of the kernel is at %#llx", (unsigned long long)arg->num);
	note(arg->loc, "addresses are as linked, as in System.map; .absolute is for those of the running kernel");
	return false;
}

static bool resolve(struct resolve *r)
{
	struct target *t;

	if (r->pattern->id == ST_MODULE) {
		error(r->point->loc, DIAG_UNSUPPORTED, "probes in modules are not supported yet");
		note(r->point->loc, "kernel.statement() reaches what is built into the kernel; "
				    "kprobe.module(\"M\").function(\"NAME\") probes functions of modules by symbol");
		return false;
	}
	t = context_kernel(r->program);
	if (!t)
		return false;
	return r->pattern->id == ST_ADDRESS ? resolve_address(r, t) : resolve_lines(r, t);
}

/* ---- variables ---- */
static bool variable(struct program *p, struct probe *pr, struct node **np, bool quiet)
{
	if ((*np)->kind == ND_ENTRY)
		return quiet ? false : error((*np)->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
	return context_variable(p, pr->data, np, quiet);
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	context_list(pr->data, fn, data);
}

/* ---- output ---- */
static const struct place *place_of(const struct probe *pr)
{
	return ((const struct context_place *)pr->data)->place;
}

static unsigned long long offset_of(const struct place *p)
{
	return p->symbol ? p->address - p->symbol_address : 0;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct place *p = place_of(pr);
	const char *symbol = p->symbol ? p->symbol : p->func;

	text_printf(t, "{ .probe = %d, .kind = KT_KPROBE_AT, .address = %#llxULL, .symbol = ", pr->index,
		    (unsigned long long)p->address);
	text_quote(t, symbol, strlen(symbol));
	/* The kit takes offset 0 to ftrace. */
	text_printf(t, ", .offset = %llu, .registers = %#xU },", offset_of(p), probe_registers(pr));
}

static const char *mechanism(const struct probe *pr)
{
	return offset_of(place_of(pr)) ? "kprobe" : "ftrace";
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct place *p = place_of(pr);

	if (p->address)
		text_printf(t, "%#llx ", (unsigned long long)p->address);
	text_printf(t, "%s+%llu", p->symbol ? p->symbol : p->func, offset_of(p));
	if (p->file)
		text_printf(t, " %s:%d", p->file, p->at_line ? p->at_line : p->line);
	if (p->inlined)
		text_printf(t, ", %s inlined into %s at %s:%d", p->func, p->container ? p->container : "?",
			    p->call_file ? p->call_file : "?", p->call_line);
	text_printf(t, ", %s", mechanism(pr));
}

const struct probe_family probe_family_statement = {
	.name = "statement",
	.id = KT_FAMILY_KPROBE,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.emit_row = emit_row,
	.describe = describe,
	.list_variables = list_variables,
	.mechanism = mechanism,
};

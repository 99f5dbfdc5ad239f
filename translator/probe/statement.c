/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family statement: lines of functions of the kernel and of modules, and addresses in them, with the variables in scope.
 *
 *	kernel.statement("FUNC[@FILE[:LINES]]")[.nearest]
 *	    LINES: N, M-N, several of these with commas, * (all lines); after + they count from the line where the function is
 *	    declared. "FILE+LINES" is "FILE:+LINES".
 *	kernel.statement(ADDRESS)              as linked: what System.map and the debugging information say
 *	module("M").statement(...)             the same in modules; an ADDRESS counts from the start of .text
 */
#include <stdlib.h>
#include <string.h>

#include "translator/probe/places.h"
#include "translator/probe/query.h"

static const struct probe_pattern patterns[] = {
	{ "kernel.statement(string)", ST_LINES },
	{ "kernel.statement(string).nearest", ST_NEAREST },
	{ "kernel.statement(number)", ST_ADDRESS },
	{ "module(string).statement(string)", ST_LINES },
	{ "module(string).statement(string).nearest", ST_NEAREST },
	{ "module(string).statement(number)", ST_ADDRESS },
	{ NULL, 0 },
};

/* ---- the argument ---- */
/* N at *S, which moves after it; false: no number of a line is there. */
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

/* N or M-N. */
static bool parse_range(const char **s, struct line_query *q)
{
	if (!number(s, &q->first))
		return false;
	q->last = q->first;
	if (**s == '-') {
		++*s;
		if (!number(s, &q->last))
			return false;
	}
	return q->first <= q->last && (q->relative || q->first > 0);
}

/* Q joins the others in LIST, which are in order and do not touch each other. */
static struct line_query *insert_range(struct line_query *list, struct line_query *q)
{
	struct line_query **pp = &list;

	while (*pp && (*pp)->last + 1 < q->first)
		pp = &(*pp)->more;
	q->more = *pp;
	while (q->more && q->more->first <= q->last + 1) {
		if (q->more->first < q->first)
			q->first = q->more->first;
		if (q->more->last > q->last)
			q->last = q->more->last;
		q->more = q->more->more;
	}
	*pp = q;
	return list;
}

static bool parse_lines(const char *s, struct line_query *q)
{
	struct line_query *list = NULL;

	if (!strcmp(s, "*")) {
		q->last = LINE_MAX_NUMBER;
		return true;
	}
	q->relative = *s == '+';
	s += q->relative;
	do {
		struct line_query *range = arena_new(&program_arena, struct line_query);

		*range = *q;
		if (!parse_range(&s, range))
			return false;
		list = insert_range(list, range);
	} while (*s++ == ',');
	*q = *list;
	return !s[-1];
}

/* Where the lines of "FUNCTION@FILE:LINES" or "FUNCTION@FILE+LINES" begin, NULL: none. A name may have a '+' in it. */
static const char *lines_part(const char *at)
{
	const char *colon = strrchr(at, ':'), *plus = strrchr(at, '+');

	if (colon)
		return colon;
	return plus && plus[1] && strspn(plus + 1, "0123456789-,") == strlen(plus + 1) ? plus : NULL;
}

/* Is there a colon that is not of a scope, as in "ns::f"? */
static bool has_colon(const char *func)
{
	for (const char *s = strchr(func, ':'); s; s = strchr(s + 2, ':'))
		if (s[1] != ':')
			return true;
	return false;
}

bool statement_query_parse(const struct node *arg, struct line_query *q, bool *ret_lines)
{
	const char *text = arg->text, *at = strchr(text, '@'), *lines = at ? lines_part(at) : NULL;

	*ret_lines = lines != NULL;
	q->func = at ? arena_strndup(&program_arena, text, (size_t)(at - text)) : text;
	if (at)
		q->file = lines ? arena_strndup(&program_arena, at + 1, (size_t)(lines - at - 1)) : at + 1;
	if (lines && !parse_lines(lines + (*lines == ':'), q)) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' is no line", lines + 1);
		note(arg->loc, "the forms are N, M-N, several of these with commas, *, and +N from the start of the function");
		return false;
	}
	if (!*q->func || (q->file && !*q->file) || strlen(text) != arg->text_len || has_colon(q->func)) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' names no statement", text);
		note(arg->loc, "the form is \"FUNCTION@FILE:LINE\"; \"*@FILE:LINE\" is that line in any function");
		return false;
	}
	return true;
}

/* ---- resolving ---- */
const char *statement_place_text(const struct place *p)
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

/* A query while the targets of its point are asked one after the other. */
struct search {
	struct line_query q;
	bool has_lines;
	const char *why;         /* of a place that cannot be probed */
	struct target *last;
};

/* The places that can be probed. */
static void add_places(struct resolve *r, struct target *t, const struct place *p, struct search *s)
{
	for (; p; p = p->next) {
		const char *denied = target_denied(t, p->address);
		struct context_place *cp;
		const char *pp;

		if (denied) {
			places_leave_out(r, p, denied);
			s->why = denied;
			continue;
		}
		cp = arena_new(&program_arena, struct context_place);
		*cp = (struct context_place){ .target = t, .place = p };
		pp = r->pattern->id == ST_ADDRESS
			     ? arena_printf(&program_arena, "%s.statement(%#llx)", target_point(t),
					    (unsigned long long)(p->address - places_address_base(t)))
			     : arena_printf(&program_arena, "%s.statement(\"%s\")%s", target_point(t), statement_place_text(p),
					    r->pattern->id == ST_NEAREST ? ".nearest" : "");
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

bool statement_report_neighbours(struct target *t, const struct line_query *q, const struct node *arg)
{
	const char *plus = q->relative ? "+" : "";
	int before, after;

	if (!neighbours(t, q, &before, &after))
		return false;
	error(arg->loc, DIAG_NO_MATCH, "no code begins at '%s'", arg->text);
	if (before >= 0 && after >= 0)
		note(arg->loc, "the nearest lines with code are %s%d and %s%d", plus, before, plus, after);
	else
		note(arg->loc, "the nearest line with code is %s%d", plus, before >= 0 ? before : after);
	note(arg->loc, ".nearest takes it");
	return true;
}

/* Around the line in the target asked last. */
static bool report_no_match(struct resolve *r, const struct search *s)
{
	if (r->point->optional)
		return true;
	if (s->has_lines && s->last && statement_report_neighbours(s->last, &s->q, probe_arg(r->point, 1)))
		return false;
	return places_no_match(r, s->last, s->q.func);
}

static struct place *find_range(struct target *t, const struct line_query *q, bool nearest)
{
	struct place *p = target_lines(t, q);
	struct line_query near = *q;
	int before, after;

	if (p || !nearest || !neighbours(t, q, &before, &after))
		return p;
	/* At equal distance the later one: it runs after what was meant. */
	near.first = before < 0 || (after >= 0 && after - q->last <= q->first - before) ? after : before;
	near.last = near.first;
	return target_lines(t, &near);
}

struct place *statement_find(struct target *t, const struct line_query *q, bool nearest)
{
	struct place *first = NULL, **end = &first;

	for (; q; q = q->more)
		for (*end = find_range(t, q, nearest); *end; end = &(*end)->next)
			;
	return first;
}

static bool search_lines(struct resolve *r, struct target *t, void *data)
{
	struct search *s = data;
	const struct node *arg = probe_arg(r->point, 1);

	s->last = t;
	if (!s->has_lines) {
		struct function_query fq = { .func = s->q.func, .file = s->q.file, .inlined = true, .outlined = true, .entries = true };

		add_places(r, t, target_functions(t, &fq), s);
	} else if (target_has_lines(t)) {
		add_places(r, t, statement_find(t, &s->q, r->pattern->id == ST_NEAREST), s);
	} else if (!r->point->optional) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "'%s' asks for a line, which BTF does not tell", arg->text);
		target_note_install(t, arg->loc);
		return false;
	}
	return true;
}

static bool search_address(struct resolve *r, struct target *t, void *data)
{
	const struct node *arg = probe_arg(r->point, 1);
	struct search *s = data;

	if (!target_has_lines(t)) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "BTF does not tell what is at %#llx", (unsigned long long)arg->num);
		note(arg->loc, "-g and .absolute probe an address of the running kernel");
		return false;
	}
	add_places(r, t, target_place_at(t, (uint64_t)arg->num + places_address_base(t)), s);
	if (r->found || r->point->optional || s->why)
		return true;
	error(arg->loc, DIAG_NO_MATCH, "no function of %s is at %#llx", target_point(t), (unsigned long long)arg->num);
	note(arg->loc, target_module(t) ? "addresses count from the start of the module's .text"
					: "addresses are as linked, as in System.map; .absolute is for those of the running kernel");
	return false;
}

static bool resolve(struct resolve *r)
{
	bool by_address = r->pattern->id == ST_ADDRESS;
	struct search s = {};

	if (!by_address && !statement_query_parse(probe_arg(r->point, 1), &s.q, &s.has_lines))
		return false;
	if (!places_each_target(r, by_address ? search_address : search_lines, &s))
		return false;
	if (r->found)
		return true;
	return s.why ? places_denied(r, probe_point_text(r->point), s.why) : report_no_match(r, &s);
}

/* ---- variables ---- */
static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	if ((*np)->kind == ND_ENTRY)
		return error((*np)->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
	return context_variable(p, pr->data, np, asked);
}

/* ---- output ---- */
static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	return places_attach(pr->data, ret);
}

static void emit_row(struct text *t, const struct probe *pr)
{
	places_emit_row(t, pr, pr->data);
	/* The kit takes offset 0 to ftrace. */
	text_printf(t, ", .registers = %#xU },", probe_registers(pr));
}

static void describe(struct text *t, const struct probe *pr)
{
	places_describe(t, pr->data);
	text_printf(t, ", %s", probe_mechanism(pr));
	context_describe(t, pr->data);
}

const struct probe_family probe_family_statement = {
	.name = "statement",
	.id = KT_FAMILY_KPROBE,
	.patterns = patterns,
	.resolve = resolve,
	.has_context = true,
	.variable = variable,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
	.mechanism = places_mechanism,
};

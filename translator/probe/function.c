/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family function: functions of the kernel and of modules, by name, file and line: their out-of-line copies, inlined
 * instances, returns.
 *
 *	kernel.function("FUNC[@FILE[:LINE]]")  all of .call and .inline; LINE is any line of the function
 *	kernel.function(ADDRESS)               the function that has it; as linked, and in a module from the start of .text
 *	module("M").function(...)              the same in a module, or in those that a glob matches
 *	    .call .inline .exported            copies; instances; copies that other files may call
 *	    .return[.maxactive(N)]             when a copy returns
 *	    .label("L")                        where a label of it stands
 *	    .callee("F")[.call .return]        what it calls, when it is what calls it
 *	    .callees[(N)]                      the same of all it calls, N levels down
 */
#include <stdlib.h>
#include <string.h>

#include "translator/probe/entry.h"
#include "translator/probe/places.h"
#include "translator/probe/query.h"

/* probe->data */
struct function_probe {
	struct context_place cp;
	unsigned maxactive;
	struct entry_values entry; /* return probes */
};

static const struct probe_pattern patterns[] = {
	FUNCTION_FORMS("kernel"),
	{ "kernel.function(number).return.maxactive(number)", FN_RETURN },
	FUNCTION_FORMS("module(string)"),
	{ "module(string).function(number).return.maxactive(number)", FN_RETURN },
	{ NULL, 0 },
};

bool function_query_parse(const struct node *arg, struct function_query *q)
{
	const char *text = arg->text, *at = strchr(text, '@'), *colon = at ? strrchr(at, ':') : NULL;
	char *end = NULL;
	long line;

	q->func = at ? arena_strndup(&program_arena, text, (size_t)(at - text)) : text;
	/* Any line. */
	if (colon && strcmp(colon, ":*")) {
		line = strtol(colon + 1, &end, 10);
		if (line <= 0 || line > LINE_MAX_NUMBER || *end) {
			error(arg->loc, DIAG_PROBE_ARG, "'%s' is no line number", colon + 1);
			note(arg->loc, "a function has any one of its lines; .statement() takes ranges and lists of them");
			return false;
		}
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

struct function_query function_query_settle(struct target *t, struct function_query q)
{
	struct function_query named = { .func = q.func, .file = q.file, .inlined = true, .outlined = true, .names_only = true };
	struct line_query rest = { .first = q.line, .last = LINE_MAX_NUMBER };
	int before = 0;

	if (!q.line || !target_has_lines(t))
		return q;
	for (const struct place *p = target_functions(t, &named); p; p = p->next) {
		if (p->line == q.line)
			return q;
		if (p->line > q.line || p->line <= before)
			continue;
		before = p->line;
		rest.func = p->func;
		rest.file = p->file;
	}
	/* Behind the last line of the function before it a line is in none. */
	if (before && target_lines(t, &rest))
		q.line = before;
	return q;
}

struct place *function_at(struct target *t, uint64_t address)
{
	const struct place *at = target_place_at(t, address);
	struct function_query q = { .outlined = true, .parts = true };
	struct place *p, *first;

	q.func = !at ? NULL : at->inlined ? at->container : at->func;
	first = q.func ? target_functions(t, &q) : NULL;
	for (p = first; p; p = p->next)
		if (p->address == at->symbol_address)
			break;
	/* A cold part has a separate symbol. */
	if (!p && first && !first->next)
		p = first;
	if (p)
		p->next = NULL;
	return p;
}

/* ---- resolving ---- */
/* How the point is written for this place alone, with the components after function() as they were. */
static const char *place_pp(const struct resolve *r, struct target *t, const struct place *p)
{
	struct text out = {};

	if (probe_arg(r->point, 1)->kind == ND_NUM)
		text_printf(&out, "%s.function(%#llx)", target_point(t), (unsigned long long)(p->address - places_address_base(t)));
	else /* a label is written with its own line, as in SystemTap's lists */
		text_printf(&out, "%s.function(\"%s\")", target_point(t),
			    p->label ? statement_place_text(p) : context_place_name(p->caller ? p->caller : p));
	for (const struct component *c = r->point->parts->next->next; c; c = c->next) {
		text_printf(&out, ".%s", strcmp(c->name, "callees") ? c->name : "callee");
		if (p->caller && c == r->point->parts->next->next)
			text_printf(&out, "(\"%s\")", context_place_name(p));
		else if (p->label)
			text_printf(&out, "(\"%s\")", p->label);
		else if (c->arg)
			text_printf(&out, "(%lld)", c->arg->num);
	}
	return text_keep(&out);
}

enum { LABELS_MAX = 8 };

/* A query while the targets of its point are asked one after the other. */
struct search {
	struct function_query q;
	const char *label;
	const struct node *address; /* instead of Q */
	bool exported;
	const struct callee_query *callees;
	unsigned maxactive;
	const struct place *denied; /* the last that cannot be probed */
	const char *why;
	struct target *last;
};

static struct place *find_places(const struct search *s, struct target *t)
{
	struct function_query q;

	if (s->address)
		return function_at(t, (uint64_t)s->address->num + places_address_base(t));
	q = function_query_settle(t, s->q);
	if (s->label)
		return target_labels(t, &q, s->label);
	return s->callees ? target_callees(t, &q, s->callees) : target_functions(t, &q);
}

/* One probe for each place; those that kprobes refuse are left out while others remain. */
static bool search_target(struct resolve *r, struct target *t, void *data)
{
	struct search *s = data;
	enum code_variant variant = (enum code_variant)r->pattern->id;
	bool returns = variant == FN_RETURN || variant == FN_CALLEE_RETURN;
	int before = r->found;

	s->last = t;
	for (struct place *p = find_places(s, t); p; p = p->next) {
		const char *why = p->denied ? p->denied : target_denied(t, p->address);
		struct function_probe *fp;

		if (s->exported && !target_is_global(t, p))
			continue;
		if (why) {
			places_leave_out(r, p, why);
			s->why = why;
			s->denied = p;
			continue;
		}
		fp = arena_new(&program_arena, struct function_probe);
		fp->cp = (struct context_place){ .target = t, .place = p, .at_return = returns, .of_return = returns };
		fp->maxactive = s->maxactive;
		probe_add(r, &probe_family_function, place_pp(r, t, p), fp);
	}
	if (variant == FN_RETURN && !s->address && r->found > before) {
		struct function_query q = function_query_settle(t, s->q);

		places_warn_inlined(r, t, &q, probe_arg(r->point, 1)->loc);
	}
	return true;
}

/* The labels that the functions have, where they have any. */
static bool no_label(struct resolve *r, const struct search *s)
{
	struct function_query q = s->last ? function_query_settle(s->last, s->q) : s->q;
	const struct node *arg = probe_arg(r->point, 2);
	const struct place *p = s->last ? target_labels(s->last, &q, "*") : NULL;

	if (r->point->optional)
		return true;
	if (!p && (!s->last || !target_functions(s->last, &q)))
		return places_no_match(r, s->last, s->q.func);
	error(arg->loc, DIAG_NO_MATCH, "no label like '%s' has code in '%s'", s->label, s->q.func);
	if (!p)
		note(arg->loc, "it has no label that has code");
	for (int n = 0; p && n < LABELS_MAX; p = p->next, n++)
		note(arg->loc, "%s has '%s' at line %d", p->func, p->label, p->at_line);
	return false;
}

/* Returns the part of the search that needs DWARF, for a message. */
static const char *needs_lines(const struct search *s)
{
	return s->exported   ? "which functions are global"
	     : s->label      ? "a label"
	     : s->callees    ? "what a function calls"
	     : s->q.outlined ? "a file" : "inlined instances";
}

/* Nothing was found at the address. */
static bool no_address(struct resolve *r, const struct search *s)
{
	struct loc loc = s->address->loc;
	unsigned long long address = (unsigned long long)s->address->num;

	if (r->point->optional)
		return true;
	if (s->last && !target_has_lines(s->last)) {
		error(loc, DIAG_NO_DEBUGINFO, "BTF does not tell what is at %#llx", address);
		target_note_install(s->last, loc);
		return false;
	}
	error(loc, DIAG_NO_MATCH, s->exported ? "no exported function of %s is at %#llx" : "no function of %s is at %#llx",
	      s->last ? target_point(s->last) : "module(\"*\")", address);
	note(loc, probe_arg(r->point, 0) ? "addresses count from the start of the module's .text"
					 : "addresses are as linked, as in System.map");
	return false;
}

/* Says, once a point of the script, that BTF has no inlined copies: a function that only these run never fires. */
static void warn_no_inlined(struct resolve *r, const struct search *s)
{
	const struct program *p = r->program;
	const struct node *arg = probe_arg(r->point, 1);

	if (!s->q.inlined || !s->last || target_has_lines(s->last) || (arg->loc.src && arg->loc.src->tapset) ||
	    (p->output.list || p->platform.debuginfo == DEBUGINFO_BTF))
		return;
	warning(arg->loc, DIAG_NO_DEBUGINFO, "copies of '%s' that are inlined into other functions are not probed", s->q.func);
	target_note_install(s->last, arg->loc);
}

static bool resolve(struct resolve *r)
{
	enum code_variant variant = (enum code_variant)r->pattern->id;
	const struct node *arg = probe_arg(r->point, 1);
	bool callees = variant >= FN_CALLEE && variant <= FN_CALLEES;
	struct search s = { .q.inlined = variant == FN_ANY || variant == FN_INLINE || variant == FN_LABEL || callees,
			    .q.outlined = variant != FN_INLINE, .q.entries = true, .exported = variant == FN_EXPORTED };
	const struct program *p = r->program;
	struct loc loc = arg->loc;

	if (arg->kind == ND_NUM)
		s.address = arg;
	else if (!function_query_parse(arg, &s.q))
		return false;
	if (callees && !probe_option(r, "STACKTRACE")) /* a callee's handler looks for its caller on the stack */
		return false;
	if (variant == FN_LABEL) {
		s.label = probe_arg(r->point, 2)->text;
	} else if (callees) {
		s.callees = places_callee_query(probe_arg(r->point, 2), variant == FN_CALLEES, variant == FN_CALLEE, r->program->reports);
		if (!s.callees)
			return false;
	} else if (!probe_maxactive(probe_arg(r->point, 3), &s.maxactive)) {
		return false;
	}
	s.q.names_only = p->output.list && !p->output.list_variables && !s.label && !callees;
	if (!places_each_target(r, search_target, &s))
		return false;
	if (r->found) {
		warn_no_inlined(r, &s);
		return true;
	}
	if (s.denied)
		return places_denied(r, s.denied->func, s.why);
	if (s.address)
		return no_address(r, &s);
	if (s.last && !target_has_lines(s.last) && (s.q.file || s.q.line || !s.q.outlined || s.exported || s.label || callees) &&
	    !r->point->optional) {
		error(loc, DIAG_NO_DEBUGINFO, "'%s' asks for %s, which BTF does not tell",
		      probe_point_text(r->point), needs_lines(&s));
		target_note_install(s.last, loc);
		return false;
	}
	if (callees) {
		if (r->point->optional || !s.last || !target_functions(s.last, &s.q))
			return places_no_match(r, s.last, s.q.func);
		return places_no_callee(s.last, &s.q, s.callees, probe_arg(r->point, 2), loc);
	}
	return s.label ? no_label(r, &s) : places_no_match(r, s.last, s.q.func);
}

/* ---- variables ---- */
/* Makes HELPER the entry probe of the return probe PR. */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct function_probe *fp = pr->data;
	struct function_probe *own = arena_new(&program_arena, struct function_probe);

	own->cp = fp->cp;
	own->cp.at_return = false;
	helper->data = own;
	helper->pp = arena_printf(&program_arena, "%s.function(\"%s\").call", target_point(fp->cp.target),
				  context_place_name(fp->cp.place));
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct function_probe *fp = pr->data;

	return entry_variable(p, pr, &fp->entry, &fp->cp, make_entry, np, asked);
}

/* ---- output ---- */
static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct function_probe *fp = pr->data;
	bool can = places_attach(&fp->cp, ret) && !fp->maxactive;

	if (fp->maxactive)
		ret->refused = "choosing the slots of a return probe (.maxactive)";
	ret->entry = fp->entry.helper ? &fp->entry : NULL;
	ret->above = fp->cp.at_return ? target_machine(fp->cp.target)->return_size : 0;
	return can;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct function_probe *fp = pr->data;

	places_emit_row(t, pr, &fp->cp);
	places_emit_calls(t, &fp->cp);
	if (fp->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d", fp->entry.helper->index, fp->entry.room);
	if (fp->maxactive)
		text_printf(t, ", .maxactive = %u", fp->maxactive);
	/* Registers that ftrace must save for the handler that runs at the entry. */
	if (places_is_entry(&fp->cp))
		text_printf(t, ", .registers = %#xU", probe_registers(pr));
	else if (fp->entry.helper)
		text_printf(t, ", .registers = %#xU", probe_registers(fp->entry.helper));
	text_puts(t, " },");
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct function_probe *fp = pr->data;

	places_describe(t, &fp->cp);
	if (fp->cp.place->calls)
		text_printf(t, ", where %s calls it", context_place_name(fp->cp.place->caller));
	text_printf(t, ", %s", pr->helper ? "at the entry, for the return" : probe_mechanism(pr));
	context_describe(t, &fp->cp);
}

const struct probe_family probe_family_function = {
	.name = "function",
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

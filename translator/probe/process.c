/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family process: code of programs and libraries, and its variables.
 *
 *	process(...)[.library("l")].function("FUNC[@FILE[:LINE]]")[.call .inline .exported .return .label("l")]
 *	    .callee("F")[.call .return], .callees[(N)]    as of the kernel's functions
 *	process(...)[.library("l")].statement("FUNC@FILE:LINES")[.nearest], .statement(ADDRESS)[.absolute[.return]]
 *	process(...)[.library("l")].mark("m"), .provider("p").mark("m"), .plt[("f")][.return]   see process-mark.c
 *
 * Functions come from debugging information; the symbol table adds those that it lacks, to a pattern always, to a name where it has none.
 */
#include <stdlib.h>
#include <ctype.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/elf.h"
#include "translator/probe/cplus.h"
#include "translator/probe/places.h"
#include "translator/probe/process.h"
#include "translator/probe/python.h"
#include "translator/probe/query.h"

/* Behind those of code. */
enum { MARK = CODE_VARIANTS, PLT };

enum { CODE_MAX = 8 };

#define FORMS(base)                                                                 \
	FUNCTION_FORMS(base),                                                              \
	{ base ".statement(string)", ST_LINES },                                           \
	{ base ".statement(string).nearest", ST_NEAREST },                                 \
	{ base ".statement(number)", ST_ADDRESS },                                         \
	{ base ".statement(number).absolute", ST_ADDRESS },                                \
	{ base ".statement(number).absolute.return", ST_ADDRESS_RETURN },                  \
	{ base ".mark(string)", MARK },                                                    \
	{ base ".provider(string).mark(string)", MARK },                                   \
	{ base ".plt", PLT },                                                              \
	{ base ".plt(string)", PLT },                                                      \
	{ base ".plt.return", PLT },                                                       \
	{ base ".plt(string).return", PLT }

static const struct probe_pattern patterns[] = {
	FORMS("process(string)"),
	FORMS("process(number)"),
	FORMS("process"),
	FORMS("process(string).library(string)"),
	FORMS("process(number).library(string)"),
	FORMS("process.library(string)"),
	{ NULL, 0 },
};

/* ---- adding ---- */
struct process_probe *process_add(struct resolve *r, struct target *t, const struct process_file *f, const struct place *p,
				  bool at_return, const char *pp)
{
	struct process_probe *up = arena_new(&program_arena, struct process_probe);

	up->cp = (struct context_place){ .target = t, .place = p, .at_return = at_return, .of_return = at_return };
	up->file = f;
	up->address = p->address;
	if (!target_file_offset(t, p->address, &up->offset))
		return NULL;
	up->refused = target_refuses_breakpoint(t, p->address);
	if (at_return && !up->refused)
		process_return_find(r->program, up, r->point->loc);
	probe_add(r, &probe_family_process, pp, up);
	return up;
}

/* The name of P in a list has its scopes: "ns::S::get@shop.cc:8". */
static const char *place_name(const struct resolve *r, struct target *t, const struct place *p)
{
	bool lists = r->program->output.list;
	const char *name = context_place_name(p), *whole = lists ? target_qualified_name(t, p) : NULL;

	return whole ? arena_printf(&program_arena, "%s%s", whole, name + strlen(p->func)) : name;
}

/* How the point is written for this place alone, with the components after function() as they were. */
static const char *function_pp(const struct resolve *r, struct target *target, const struct process_file *f, const struct place *p)
{
	struct text t = {};

	if (process_part(r->point, "function")->arg->kind == ND_NUM)
		text_printf(&t, "%s.function(%#llx)", f->point, (unsigned long long)p->address);
	else
		text_printf(&t, "%s.function(\"%s\")", f->point,
			    p->label ? statement_place_text(p) : place_name(r, target, p->caller ? p->caller : p));
	for (const struct component *c = process_part(r->point, "function")->next; c; c = c->next) {
		text_printf(&t, ".%s", strcmp(c->name, "callees") ? c->name : "callee");
		if (p->caller && !strncmp(c->name, "callee", 6))
			text_printf(&t, "(\"%s\")", context_place_name(p));
		else if (p->label)
			text_printf(&t, "(\"%s\")", p->label);
	}
	return text_keep(&t);
}

/* ---- functions ---- */
/* "ns::Class::f<ns::T>": debugging information knows the last part, the scope is compared here. */
static const char *last_part(const char *name)
{
	const char *last = name;
	int depth = 0;

	for (const char *s = name; *s; s++) {
		if (s == last && !strncmp(s, "operator", 8) && !isalnum((unsigned char)s[8]) && s[8] != '_') {
			if (s[8] == ' ')
				break;
			s += 7 + strspn(s + 8, "<>=+-*/%^&|!~,()[]");
			continue;
		}
		depth += (*s == '<') - (*s == '>');
		if (!depth && s[0] == ':' && s[1] == ':')
			last = s + 2;
	}
	return last;
}

/* Is P in a function whose name with its scopes is WANTED? The arguments of a template at the end may be left out. */
static bool in_scope(struct target *t, const struct place *p, const char *wanted)
{
	const char *whole = target_qualified_name(t, p), *own = whole ? last_part(whole) : NULL;

	if (!whole || cplus_in_scope(wanted, whole) || !strcmp(wanted, whole))
		return whole;
	return strncmp(own, "operator", 8) && strchr(own, '<') && !strchr(last_part(wanted), '<') &&
	       cplus_in_scope(wanted, arena_strndup(&program_arena, whole, (size_t)(strchr(own, '<') - whole)));
}

/* The places of FOUND in functions whose name with its scopes WANTED matches, if it has scopes. */
static struct place *keep_in_scope(struct target *t, struct place *found, const char *wanted)
{
	struct place **end = &found;

	while (last_part(wanted) != wanted && *end)
		if (in_scope(t, *end, wanted))
			end = &(*end)->next;
		else
			*end = (*end)->next;
	return found;
}

/* Appends to FOUND the functions of PATTERN that only the symbol table has: startup code, assembly, files compiled without -g; of a name,
 * other versions of it, which are described by another name. */
static struct place *add_symbols(struct target *t, struct place *found, const struct function_query *pattern)
{
	struct place **end = &found, *next;
	_cleanup_free_ uint64_t *known = NULL;
	bool pattern_is_name = !strpbrk(pattern->func, "*?[");
	size_t n = 0;

	for (; *end; end = &(*end)->next)
		*vec_add(known, n) = (*end)->address;
	sort_rows(known, n, by_number);
	for (struct place *p = target_symbol_functions(t, pattern); p; p = next) {
		next = p->next;
		p->next = NULL;
		if ((p->scope && !pattern_is_name) || (n && bsearch(&p->address, known, n, sizeof(*known), by_number)))
			continue;
		*end = p;
		end = &p->next;
	}
	return found;
}

/* The functions of a query; from the symbol table those that debugging information does not name. */
static const struct place *find_functions(struct target *t, const struct function_query *q)
{
	struct function_query part = *q;
	struct place *found, **end = &found;

	part.func = last_part(q->func);
	found = target_functions(t, &part);
	/* The arguments of a template may be left out. */
	if (target_has_lines(t) && !strpbrk(part.func, "*?[<")) {
		part.func = arena_printf(&program_arena, "%s<*", part.func);
		while (*end)
			end = &(*end)->next;
		*end = target_functions(t, &part);
	}
	found = keep_in_scope(t, found, q->func);
	if (q->file || q->line || !q->outlined)
		return found;
	if (found)
		return target_has_lines(t) ? add_symbols(t, found, q) : found;
	found = target_symbol_functions(t, q);
	return found ? found : cplus_functions(t, q);
}

struct qualified {
	const char *name, *found;
};

/* Keeps the first CANDIDATE that is the name with a package, a namespace or a class before it. */
static void find_qualified(const char *candidate, void *data)
{
	struct qualified *q = data;
	size_t len = strlen(candidate), tail = strlen(q->name);

	if (!q->found && len > tail && strchr(".:", candidate[len - tail - 1]) && !strcmp(candidate + len - tail, q->name))
		q->found = arena_strdup(&program_arena, candidate);
}

/* Says of a name, once, that N implementations of it are probed, and why. */
static void warn_ifunc(const struct resolve *r, const struct target *t, const char *name, int n, struct loc loc)
{
	if (!n || strpbrk(name, "*?[") || (loc.src && loc.src->tapset) || r->program->output.list)
		return;
	warning(loc, DIAG_IFUNC, "'%s' of %s is chosen for the CPU when a program starts (IFUNC): %d functions that can be chosen are probed",
		name, target_path(t), n);
	note(loc, "some may serve other names too, and one in the vDSO cannot be probed; .plt(\"%s\") of a program has its own calls", name);
}

static bool report_no_function(struct resolve *r, struct target *t, const struct function_query *q)
{
	const struct component *c = process_part(r->point, "function");
	struct function_query all = { .func = q->func, .inlined = true, .outlined = true };
	struct nearest near = { .word = q->func };
	struct qualified qualified = { .name = q->func };
	struct loc loc = c->arg->loc;
	const struct place *there;
	const char *left;

	if (r->point->optional)
		return true;
	if (!target_has_lines(t) && (q->file || q->line || !q->outlined)) {
		error(loc, DIAG_NO_DEBUGINFO, "'%s' asks for %s, which a symbol table does not tell", c->arg->text,
		      q->outlined ? "a file" : "inlined instances");
		target_note_install(t, loc);
		return false;
	}
	if (target_is_ifunc(t, q->func)) {
		error(loc, DIAG_IFUNC, "'%s' of %s is chosen for the CPU when a program starts (IFUNC), and no function is known that can be",
		      q->func, target_path(t));
		note(loc, "process(\"PROGRAM\").plt(\"%s\") has the calls of a program", q->func);
		return false;
	}
	error(loc, DIAG_NO_MATCH, "'%s' matches nothing in %s", probe_point_text(r->point), target_path(t));
	if (!target_has_lines(t))
		target_note_install(t, loc);
	there = target_functions(t, &all);
	places_note_there(loc, there);
	left = there ? NULL : cplus_part(t, q->func);
	if (left)
		note(loc, "all that is left of it is a part, '%s', which not each call reaches; the rest was inlined", left);
	if (there || left || places_note_unknown_file(t, c->arg))
		return false;
	target_function_names(t, find_qualified, &qualified);
	target_symbol_names(t, find_qualified, &qualified);
	target_function_names(t, nearest_add_name, &near);
	target_symbol_names(t, nearest_add_name, &near);
	if (qualified.found)
		note(loc, "did you mean '%s'?", qualified.found);
	else if (nearest_get(&near))
		note(loc, "did you mean '%s'?", nearest_get(&near));
	else if (!strcmp(q->func, "*"))
		note(loc, "it has no names of functions; its calls of libraries are process(\"%s\").plt, of the kernel .syscall",
		     target_path(t));
	else
		note(loc, "ktap -l 'process(\"%s\").function(\"*PART*\")' lists functions by a part of the name", target_path(t));
	return false;
}

static bool report_no_label(struct resolve *r, struct target *t, const struct function_query *q, const struct node *arg)
{
	if (r->point->optional)
		return true;
	error(arg->loc, DIAG_NO_MATCH, "no label like '%s' has code in '%s'", arg->text, q->func);
	for (const struct place *p = target_labels(t, q, "*"); p; p = p->next)
		note(arg->loc, "%s has '%s' at line %d", p->func, p->label, p->at_line);
	if (!target_has_lines(t))
		target_note_install(t, arg->loc);
	return false;
}

static bool resolve_functions(struct resolve *r, struct target *t, const struct process_file *f, enum code_variant variant)
{
	struct function_query q = { .inlined = variant == FN_ANY || variant == FN_INLINE || variant == FN_LABEL,
				    .outlined = variant != FN_INLINE, .entries = true };
	const struct component *label = process_part(r->point, "label");
	const struct place *places;
	int before = r->found, chosen = 0;

	if (!function_query_parse(process_part(r->point, "function")->arg, &q))
		return false;
	q = function_query_settle(t, q);
	places = label ? target_labels(t, &q, label->arg->text) : find_functions(t, &q);
	for (const struct place *p = places; p; p = p->next)
		if ((variant != FN_EXPORTED || target_is_global(t, p)) &&
		    process_add(r, t, f, p, variant == FN_RETURN, function_pp(r, t, f, p)))
			chosen += p->chosen;
	warn_ifunc(r, t, q.func, chosen, process_part(r->point, "function")->arg->loc);
	places_warn_merged(r, places, f->path, process_part(r->point, "function")->arg->loc);
	if (r->found > before && variant == FN_RETURN)
		places_warn_inlined(r, t, &q, process_part(r->point, "function")->arg->loc);
	if (r->found > before)
		return true;
	return label && find_functions(t, &q) ? report_no_label(r, t, &q, label->arg) : report_no_function(r, t, &q);
}

/* The function that has the code at an address. */
static bool resolve_function_at(struct resolve *r, struct target *t, const struct process_file *f, enum code_variant variant)
{
	const struct node *arg = process_part(r->point, "function")->arg;
	const struct place *p = target_has_lines(t) ? function_at(t, (uint64_t)arg->num) : NULL;

	if (p && (variant != FN_EXPORTED || target_is_global(t, p)))
		return process_add(r, t, f, p, variant == FN_RETURN, function_pp(r, t, f, p));
	if (r->point->optional)
		return true;
	error(arg->loc, target_has_lines(t) ? DIAG_NO_MATCH : DIAG_NO_DEBUGINFO, "no%s function of %s is known at %#llx",
	      p ? " exported" : "", target_path(t), (unsigned long long)arg->num);
	if (target_has_lines(t))
		note(arg->loc, "addresses are those of the file, as nm and objdump print them");
	else
		target_note_install(t, arg->loc);
	return false;
}

static bool resolve_callees(struct resolve *r, struct target *t, const struct process_file *f, enum code_variant variant)
{
	struct function_query q = { .inlined = true, .outlined = true };
	const struct component *function = process_part(r->point, "function");
	const struct callee_query *callees = places_callee_query(function->next->arg, variant == FN_CALLEES, variant == FN_CALLEE,
								 r->program->reports);
	int before = r->found;

	if (!callees || !function_query_parse(function->arg, &q))
		return false;
	q = function_query_settle(t, q);
	for (const struct place *p = target_callees(t, &q, callees); p; p = p->next) {
		/* At an entry the top of the stack is the last call; the calls before are found by tables. */
		if (p->calls && (p->inlined || p->calls->next))
			r->program->user_stacks = true;
		process_add(r, t, f, p, variant == FN_CALLEE_RETURN, function_pp(r, t, f, p));
	}
	if (r->found > before || r->point->optional)
		return true;
	if (!target_has_lines(t)) {
		error(function->arg->loc, DIAG_NO_DEBUGINFO, "a symbol table does not say what '%s' calls", function->arg->text);
		target_note_install(t, function->arg->loc);
		return false;
	}
	if (!find_functions(t, &q))
		return report_no_function(r, t, &q);
	return places_no_callee(t, &q, callees, function->next->arg, function->arg->loc);
}

/* ---- statements ---- */
static bool report_no_statement(struct resolve *r, struct target *t, const struct line_query *q, const struct node *arg)
{
	if (r->point->optional)
		return true;
	if (!target_has_lines(t)) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "'%s' asks for a line, which a symbol table does not tell", arg->text);
		target_note_install(t, arg->loc);
		return false;
	}
	if (statement_report_neighbours(t, q, arg))
		return false;
	error(arg->loc, DIAG_NO_MATCH, "'%s' matches nothing in %s", probe_point_text(r->point), target_path(t));
	note(arg->loc, "ktap -l 'process(\"%s\").function(\"*\")' lists its functions and their files", target_path(t));
	return false;
}

/* The lines of Q in functions of its name, which may have scopes. */
static const struct place *find_lines(struct target *t, struct line_query *q, bool nearest)
{
	const char *wanted = q->func;

	for (struct line_query *one = q; one; one = one->more)
		one->func = last_part(wanted);
	return keep_in_scope(t, statement_find(t, q, nearest), wanted);
}

static bool resolve_lines(struct resolve *r, struct target *t, const struct process_file *f, bool nearest)
{
	const struct node *arg = process_part(r->point, "statement")->arg;
	const struct place *p = NULL;
	struct line_query q = {};
	int before = r->found;
	bool has_lines;

	if (!statement_query_parse(arg, &q, &has_lines))
		return false;
	if (!has_lines) {
		struct function_query fq = { .func = q.func, .file = q.file, .inlined = true, .outlined = true, .entries = true };

		p = find_functions(t, &fq);
	} else if (target_has_lines(t)) {
		p = find_lines(t, &q, nearest);
	}
	for (; p; p = p->next)
		process_add(r, t, f, p, false,
			    arena_printf(&program_arena, "%s.statement(\"%s\")%s", f->point, statement_place_text(p),
					 nearest ? ".nearest" : ""));
	return r->found > before ? true : report_no_statement(r, t, &q, arg);
}

/* A breakpoint inside of an instruction makes another one of it: -g says that this is meant. */
static bool check_instruction(struct resolve *r, const struct target *t, const struct node *arg)
{
	bool guru = r->program->language.guru;
	unsigned long long address = (unsigned long long)arg->num;
	uint64_t start = 0;

	switch (target_instruction(t, (uint64_t)arg->num, &start)) {
	case INSTRUCTION_STARTS:
		return true;
	case INSTRUCTION_INSIDE:
		if (guru)
			return true;
		error(arg->loc, DIAG_GURU, "%#llx is inside of an instruction of %s, which begins at %#llx", address, target_path(t),
		      (unsigned long long)start);
		note(arg->loc, "a breakpoint there would change what the program does; with -g it is set");
		return false;
	case INSTRUCTION_UNKNOWN:
		if (guru)
			return true;
		warning(arg->loc, DIAG_PROBE_ARG, "whether an instruction of %s begins at %#llx is not known", target_path(t), address);
		note(arg->loc, "inside of one, a breakpoint would change what the program does; no symbol is near, or there is no "
			       "objdump");
		return true;
	}
	bug("instruction");
}

static bool resolve_address(struct resolve *r, struct target *t, const struct process_file *f, bool at_return)
{
	const struct node *arg = process_part(r->point, "statement")->arg;
	const char *pp = arena_printf(&program_arena, "%s.statement(%#llx)%s%s", f->point, (unsigned long long)arg->num,
				      process_part(r->point, "absolute") ? ".absolute" : "", at_return ? ".return" : "");
	struct place *p = target_has_lines(t) ? target_place_at(t, (uint64_t)arg->num) : NULL;

	if (!p) {
		p = arena_new(&program_arena, struct place);
		*p = (struct place){ .address = (uint64_t)arg->num, .func = arena_printf(&program_arena, "%#llx",
					(unsigned long long)arg->num), .section = ".text" };
	}
	if (process_add(r, t, f, p, at_return, pp))
		return check_instruction(r, t, arg);
	if (r->point->optional)
		return true;
	error(arg->loc, DIAG_NO_MATCH, "%s holds nothing at %#llx", target_path(t), (unsigned long long)arg->num);
	note(arg->loc, "addresses are those of the file, as nm and objdump print them");
	return false;
}

/* ---- resolving ---- */
static bool resolve_form(struct resolve *r, struct target *t, const struct process_file *f)
{
	if (r->pattern->id == MARK)
		return process_marks(r, t, f);
	if (r->pattern->id == PLT)
		return process_plt(r, t, f);
	if (process_part(r->point, "function") && process_part(r->point, "function")->arg->kind == ND_NUM)
		return resolve_function_at(r, t, f, (enum code_variant)r->pattern->id);
	switch ((enum code_variant)r->pattern->id) {
	case ST_LINES:
	case ST_NEAREST:
		return resolve_lines(r, t, f, r->pattern->id == ST_NEAREST);
	case ST_ADDRESS:
	case ST_ADDRESS_RETURN:
		return resolve_address(r, t, f, r->pattern->id == ST_ADDRESS_RETURN);
	case FN_ANY:
	case FN_CALL:
	case FN_INLINE:
	case FN_EXPORTED:
	case FN_RETURN:
	case FN_LABEL:
		return resolve_functions(r, t, f, (enum code_variant)r->pattern->id);
	case FN_CALLEE:
	case FN_CALLEE_CALL:
	case FN_CALLEE_RETURN:
	case FN_CALLEES:
		return resolve_callees(r, t, f, (enum code_variant)r->pattern->id);
	case CODE_VARIANTS:
		break;
	}
	bug("variant %d", r->pattern->id);
}

static bool resolve_file(struct resolve *r, struct target *t, const struct process_file *f)
{
	struct probe *before = r->last;

	if (!resolve_form(r, t, f))
		return false;
	return r->last == before || process_check(r, before);
}

/* QUIETLY: without reporting why not. */
static bool resolve_one(struct resolve *r, const struct process_file *f, bool quietly)
{
	struct trial trial = { 0 };
	struct target *t;
	bool ok;

	if (quietly)
		trial_begin(r->program->reports, &trial, TRIAL_DROPS);
	t = target_open_program(context_opened(r->program), f->path, r->point->loc);
	ok = t && resolve_file(r, t, f);
	trial_end(&trial);
	return ok;
}

/* Of many files, those without a match are passed over; when none has one, the problem of the last is reported. */
static bool resolve(struct resolve *r)
{
	bool optional, several;
	const struct process_file *f = process_files(r, &optional);
	int before = r->found;

	if (!f)
		return optional;
	several = f->next != NULL;
	for (;; f = f->next) {
		bool ok = resolve_one(r, f, optional || several);

		if (f->next)
			continue;
		if (r->found > before || optional)
			return true;
		return several ? resolve_one(r, f, false) : ok;
	}
}

/* ---- variables ---- */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct process_probe *up = pr->data;
	struct process_probe *own = arena_new(&program_arena, struct process_probe);

	*own = *up;
	own->cp.at_return = false;
	own->entry = (struct entry_values){};
	own->ends = NULL;
	helper->data = own;
	helper->pp = arena_printf(&program_arena, "%s.function(\"%s\").call", up->file->point,
				  context_place_name(up->cp.place));
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct process_probe *up = pr->data;

	if (up->python)
		return python_variable(p, pr, np);
	if (up->name && ((*np)->kind != ND_ENTRY || !up->cp.at_return))
		return process_mark_variable(p, pr, np, asked);
	return entry_variable(p, pr, &up->entry, &up->cp, make_entry, np, asked);
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	const struct process_probe *up = pr->data;

	/* Of a program in Python nothing is known before it runs. */
	if (!up->python && (up->cp.place->scope || up->cp.is_tracepoint))
		context_list(&up->cp, fn, data);
}

/* ---- output ---- */
/* Writes the start of a row of KIND at ADDRESS. */
static void emit_place(struct text *t, const struct probe *pr, const char *kind, uint64_t address)
{
	const struct process_probe *up = pr->data;
	uint64_t offset = 0, code;
	unsigned code_size;

	target_file_offset(up->cp.target, address, &offset);
	code = target_code(up->cp.target, address, CODE_MAX, &code_size);
	text_printf(t, "{ .probe = %d, .kind = %s, .path = ", pr->index, kind);
	text_quote(t, up->file->path, strlen(up->file->path));
	text_printf(t, ", .offset = %#llx, .address = %#llxULL, .code = %#llxULL, .code_size = %u", (unsigned long long)offset,
		    (unsigned long long)address, (unsigned long long)code, code_size);
	if (up->file->pid)
		text_printf(t, ", .pid = %d", up->file->pid);
	if (target_is_go(up->cp.target))
		text_puts(t, ", .stack_moves = 1");
}

/* Writes what the entry of a function, or a place inside of it, has. */
static void emit_entry(struct text *t, const struct process_probe *up)
{
	if (up->semaphore)
		text_printf(t, ", .semaphore = %#llx", (unsigned long long)up->semaphore);
	places_emit_calls(t, &up->cp);
	if (up->cp.place->calls && !up->cp.place->inlined)
		text_puts(t, ", .at_entry = 1");
	if (up->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d", up->entry.helper->index, up->entry.room);
	text_puts(t, " },\n");
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct process_probe *up = pr->data;

	if (!up->ends || process_return_keeps(up)) {
		emit_place(t, pr, up->ends ? "KT_UPROBE_ENTRY" : up->cp.at_return ? "KT_UPROBE_RETURN" : "KT_UPROBE_AT", up->address);
		emit_entry(t, up);
	}
	for (size_t i = 0; up->ends && i < up->ends->n; i++) {
		const char *kind = process_return_kind(up, &up->ends->end[i]);

		if (!kind)
			continue;
		emit_place(t, pr, kind, up->ends->end[i].address);
		process_return_emit_end(t, up, &up->ends->end[i]);
		text_puts(t, " },\n");
	}
}

/* A place of the program at ADDRESS. */
static struct probe_attach place_at(const struct process_probe *up, enum kt_uprobe_kind kind, uint64_t address)
{
	struct probe_attach ret = { .kind = IMAGE_UPROBE, .how = (int)kind, .symbol = up->file->path, .linked = address, .pid = up->file->pid };

	target_file_offset(up->cp.target, address, &ret.address);
	ret.code = target_code(up->cp.target, address, CODE_MAX, &ret.code_size);
	return ret;
}

/* The places at which the function returns. False: that is not all it takes. */
static bool attach_ends(const struct process_probe *up, struct probe_attach *ret)
{
	const struct probe_attach **next = NULL;

	ret->absent = !up->ends->returns;
	if (up->ends->followed)
		ret->refused = "finding the returns of a function that ends in a jump to another";
	for (size_t i = 0; i < up->ends->n && !ret->refused; i++) {
		struct probe_attach *at = next ? arena_new(&program_arena, struct probe_attach) : ret;

		if (up->ends->end[i].kind == END_JUMPS && up->entry.helper)
			ret->refused = "finding the returns of a function that jumps to its own start";
		if (up->ends->end[i].kind != END_RETURNS)
			continue;
		*at = place_at(up, KT_UPROBE_END, up->ends->end[i].address);
		if (next)
			*next = at;
		next = &at->next;
	}
	return !ret->refused;
}

static bool attach(const struct probe *pr, struct probe_attach *ret)
{
	const struct process_probe *up = pr->data;

	*ret = place_at(up, up->cp.at_return ? KT_UPROBE_RETURN : KT_UPROBE_AT, up->address);
	if (up->python || up->cp.place->calls || (up->ends && !attach_ends(up, ret)))
		return false;
	ret->semaphore = up->semaphore;
	ret->entry = up->entry.helper ? &up->entry : NULL;
	/* A probe of the return address finds it taken off the stack. */
	if (up->cp.at_return && !up->ends)
		ret->above = target_machine(up->cp.target)->return_size;
	return true;
}

static const char *mechanism(const struct probe *pr)
{
	const struct process_probe *up = pr->data;

	return up->cp.at_return && !up->ends ? "uretprobe" : "uprobe";
}

static const char *file(const struct probe *pr)
{
	return ((const struct process_probe *)pr->data)->file->path;
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct process_probe *up = pr->data;
	const struct place *p = up->cp.place;

	text_printf(t, "%s+%#llx %s", up->file->path, (unsigned long long)up->offset, up->what ? up->what : p->func);
	if (p->file)
		text_printf(t, " %s:%d", p->file, p->at_line ? p->at_line : p->line);
	if (p->inlined)
		text_printf(t, ", inlined into %s at %s:%d", p->container ? p->container : "?",
			    p->call_file ? p->call_file : "?", p->call_line);
	if (p->calls)
		text_printf(t, ", where %s calls it", context_place_name(p->caller));
	if (pr->helper)
		text_puts(t, ", at the entry of the return probe");
	else if (up->cp.at_return)
		process_return_describe(t, up);
	else
		text_printf(t, ", %s", probe_mechanism(pr));
}

const struct probe_family probe_family_process = {
	.name = "process",
	.id = KT_FAMILY_UPROBE,
	.in_programs = true,
	.patterns = patterns,
	.resolve = resolve,
	.has_context = true,
	.variable = variable,
	.emit_row = emit_row,
	.attach = attach,
	.describe = describe,
	.list_variables = list_variables,
	.file = file,
	.mechanism = mechanism,
};

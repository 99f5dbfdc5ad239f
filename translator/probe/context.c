/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target values -> struct access: the variable of the chain, then one step per -> and [].
 *
 * A value is either at an address (memory, so members and elements are found by adding) or held (in a register, in
 * pieces, computed: so a member is a part of the location). A pointer that is followed always leads to an address.
 */
#include "translator/probe/context.h"
#include "translator/probe/variant.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "translator/debuginfo/opened.h"
#include "translator/probe/named.h"
#include "translator/probe/pretty.h"
#include "translator/probe/probe.h"
#include "translator/syntax/habits.h"

enum { CHAIN_MAX = 64, HELD_MAX = 8 };

const struct context_place *context_of(const struct probe *pr)
{
	return pr->family && pr->family->has_context ? pr->data : NULL;
}

struct opened *context_opened(struct program *p)
{
	if (!p->opened) {
		p->opened = arena_new(&program_arena, struct opened);
		p->opened->machine = platform_machine(&p->platform);
		p->opened->guest_root = p->platform.guest_root;
	}
	return p->opened;
}

struct target *context_kernel(struct program *p)
{
	const struct reports *reports = program_reports(p);
	const int reported = reports->reported;
	const struct kernel *k;

	if (p->kernel || p->no_kernel)
		return p->kernel;
	k = kernel_find(p->reports, p->platform.release);
	p->kernel = k ? target_open_kernel(context_opened(p), k, p->platform.debuginfo, p->reports) : NULL;
	p->no_kernel = !p->kernel && reports->reported > reported;
	return p->kernel;
}

const char *context_place_name(const struct place *p)
{
	if (!p->file)
		return p->func;
	return arena_printf(&program_arena, "%s@%s:%d", p->func, p->file, p->line);
}

/* A target value while its chain is followed. */
struct value {
	struct program *program;
	const struct context_place *cp;
	struct access *a;
	const struct ctype *type;
	bool at_address;
	struct access_step **end;
	struct node *base;     /* ACC_EXPR: the address */
	bool fresh;            /* nothing was taken from BASE yet: it points at one or more of TYPE */
};

/* The place in full, for messages about one of many. */
static const char *where(const struct context_place *cp)
{
	const struct place *p = cp->place;

	if (!p)
		return "this probe";
	if (!p->address)
		return p->func;
	if (!p->inlined)
		return arena_printf(&program_arena, "%s (%#llx)", context_place_name(p),
				    (unsigned long long)p->address);
	return arena_printf(&program_arena, "%s inlined into %s at %s:%d (%#llx)", context_place_name(p),
			    p->container ? p->container : "?", p->call_file ? p->call_file : "?", p->call_line,
			    (unsigned long long)p->address);
}

/* ---- what exists ---- */
static struct variable **copy_variables(struct variable **end, const struct variable *v, bool parameter)
{
	for (; v; v = v->next) {
		*end = arena_new(&program_arena, struct variable);
		**end = *v;
		(*end)->parameter = parameter;
		(*end)->next = NULL;
		end = &(*end)->next;
	}
	return end;
}

static const struct variable *variables(const struct context_place *cp)
{
	struct variable *first = NULL, **end = &first;

	if (cp->is_tracepoint)
		return cp->arguments;
	if (!cp->arguments)
		return target_variables(cp->target, cp->place);
	end = copy_variables(end, cp->arguments, true);
	copy_variables(end, target_variables(cp->target, cp->place), false);
	return first;
}

static const struct variable *variable(const struct context_place *cp, const char *name)
{
	const struct variable *v = cp->arguments;

	while (v && strcmp(v->name, name))
		v = v->next;
	return v || cp->is_tracepoint ? v : target_variable(cp->target, cp->place, name);
}

static bool computable(const struct variable *v, const char **why)
{
	_cleanup_text_ struct text scratch = {};
	bool ok = location_emit(&scratch, &v->location, v->type ? v->type->size : 8, "0", false, why);

	/* A structure in pieces is computable member by member. */
	return ok || v->location.kind == LOC_PIECES;
}

void context_list(const struct context_place *cp, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	const struct ctype *type = cp->at_return ? target_return_type(cp->target, cp->place) : NULL;
	const char *why;

	if (type && type->kind != CT_VOID)
		fn("return", type->name, data);
	/* When the function returns, only its parameters are known: they were kept at the entry. */
	for (const struct variable *v = variables(cp); v; v = v->next)
		if (v->type && computable(v, &why) && v->type->kind != CT_VOID && (v->parameter || !cp->at_return))
			fn(v->name, v->type->name, data);
}

void context_list_probe(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	if (pr->family->list_variables)
		pr->family->list_variables(pr, fn, data);
	else if (context_of(pr))
		context_list(context_of(pr), fn, data);
}

void context_describe(struct text *t, const struct context_place *cp)
{
	const struct ctype *type = cp->at_return ? target_return_type(cp->target, cp->place) : NULL;
	const struct machine *m = target_machine(cp->target);
	const char *why;

	if (type)
		text_printf(t, "\n  #   $return:%s as the function's value", type->name);
	for (const struct variable *v = variables(cp); v; v = v->next) {
		/* When the function returns, only its parameters are known: they were kept at the entry. */
		if (cp->at_return && !v->parameter)
			continue;
		text_printf(t, "\n  #   $%s:%s ", v->name, v->type ? v->type->name : "void");
		if (v->location.kind == LOC_NONE || computable(v, &why))
			location_describe(t, &v->location, m);
		else
			text_printf(t, "not here: %s", why);
		if (cp->at_return)
			text_puts(t, ", read at the entry");
	}
}

/* The alternatives, at most 20 of them. */
static void note_available(struct loc loc, const struct context_place *cp)
{
	_cleanup_text_ struct text t = {};
	const char *why;
	int n = cp->of_return && target_return_type(cp->target, cp->place);

	if (n)
		text_printf(&t, "$return");
	for (const struct variable *v = variables(cp); v; v = v->next) {
		if (!computable(v, &why))
			continue;
		if (n++ < 20)
			text_printf(&t, "%s$%s", t.len ? ", " : "", v->name);
	}
	if (n > 20)
		text_printf(&t, " and %d more", n - 20);
	if (t.len)
		note(loc, "available there: %s", text_str(&t));
	else
		note(loc, "no variable is available there");
}

/* NAME is asked for where only the symbol table knows the function. */
static bool undescribed(const struct node *n, const struct context_place *cp)
{
	error(n->loc, DIAG_NO_DEBUGINFO, "no debugging information describes '%s', so '%s' is not known", cp->place->func, n->name);
	if (target_has_lines(cp->target)) {
		note(n->loc, "it was compiled without -g or written in assembly; long_arg(1) and returnval() need no debugging information");
		return false;
	}
	if (cp->of_return && !strcmp(n->name, "$return"))
		note(n->loc, "write returnval(), which needs none");
	target_note_install(cp->target, n->loc);
	return false;
}

/* Names the member of a parameter that a field of a tracepoint's record stands for: prev_comm is $prev->comm, filename is
 * $bprm->filename. bpftrace and perf read such records; parameters are available here.
 */
static bool note_field(const struct node *n, const struct context_place *cp)
{
	const char *field = n->name + 1, *why;

	for (const struct variable *v = cp->is_tracepoint ? variables(cp) : NULL; v; v = v->next) {
		size_t len = strlen(v->name);
		const char *rest = !strncmp(field, v->name, len) && field[len] == '_' ? field + len + 1 : field;
		const struct ctype *to = v->type && v->type->kind == CT_POINTER && computable(v, &why) ? ctype_pointee(v->type) : NULL;
		struct member m;

		if (!to || (to->kind != CT_STRUCT && to->kind != CT_UNION) || !ctype_member(to, rest, &m))
			continue;
		note(n->loc, "write $%s->%s", v->name, rest);
		return true;
	}
	return false;
}

static bool unknown_variable(const struct node *n, const struct context_place *cp)
{
	struct nearest near = { .word = n->name + 1 };

	error(n->loc, DIAG_TARGET_VAR, "no variable '%s' in %s", n->name, where(cp));
	if (!note_is_wanted(n->loc)) /* to look for a global variable of the kernel takes 0.2 s */
		return false;
	for (const struct variable *v = variables(cp); v; v = v->next)
		nearest_add(&near, v->name);
	if (cp->of_return)
		nearest_add(&near, "return");
	if (!strcmp(n->name, "$retval") || (cp->of_return && !strcmp(n->name, "$ret")))
		note(n->loc, "write $return%s", cp->of_return ? "" : " in a .return probe");
	else if (note_field(n, cp))
		;
	else if (cp->target && target_global(cp->target, n->name + 1, NULL))
		note(n->loc, "write @var(\"%s\") for the global variable", n->name + 1);
	else if (nearest_get(&near))
		note(n->loc, "did you mean '$%s'?", nearest_get(&near));
	note_available(n->loc, cp);
	if (cp->target && !target_has_lines(cp->target) && !cp->is_tracepoint)
		target_note_install(cp->target, n->loc);
	return false;
}

static bool unavailable(const struct node *n, const struct context_place *cp, const char *why)
{
	error(n->loc, DIAG_OPTIMIZED_OUT, "'%s' is not available in %s: %s", n->name, where(cp), why);
	note_available(n->loc, cp);
	if (cp->target && target_has_lines(cp->target) && !target_is_user(cp->target) && !target_module(cp->target))
		note(n->loc, "ktap -L 'kernel.statement(\"%s@*:*\")' lists what each of its lines has", cp->place->func);
	note(n->loc, "@defined(%s) is true where it is available", n->name);
	return false;
}

/* ---- the base ---- */
static void add_step(struct value *v, struct access_step step)
{
	struct access_step *s = arena_new(&program_arena, struct access_step);

	*s = step;
	*v->end = s;
	v->end = &s->next;
}

static bool is_record(const struct ctype *ct)
{
	return ct->kind == CT_STRUCT || ct->kind == CT_UNION;
}

/* A structure that a function returned. */
static bool base_result(struct value *v, const struct node *n)
{
	v->a->base = ACC_LOCATION;
	v->a->location = target_result(v->cp->target, v->type);
	v->at_address = v->a->location.kind == LOC_ADDRESS;
	if (v->a->location.kind == LOC_NONE)
		return unavailable(n, v->cp, v->a->location.why);
	return true;
}

static bool base_return(struct value *v, const struct node *n)
{
	if (!v->cp->at_return) {
		error(n->loc, DIAG_TARGET_VAR, "'$return' exists in return probes only");
		note(n->loc, "probe %s.function(\"%s\").return", target_point(v->cp->target), v->cp->place->func);
		return false;
	}
	if (!v->cp->place->scope)
		return undescribed(n, v->cp);
	v->type = target_return_type(v->cp->target, v->cp->place);
	v->a->base = ACC_RETURN;
	if (!v->type && target_is_user(v->cp->target) && target_is_go(v->cp->target)) {
		error(n->loc, DIAG_TARGET_VAR, "'$return' is not known in Go, whose functions may have several results");
		note(n->loc, "returnval() is the first word of the results; the next are in the registers %s: register(\"NAME\")",
		     platform_machine(&v->program->platform)->go_results);
		return false;
	}
	if (!v->type)
		return error(n->loc, DIAG_TARGET_VAR, "'%s' returns nothing", v->cp->place->func);
	if (is_record(v->type) && !target_is_32bit(v->cp->target))
		return base_result(v, n);
	if (!target_is_32bit(v->cp->target))
		return true;
	/* i386: any structure is in memory, and its address is what is returned. */
	v->at_address = is_record(v->type);
	v->a->wide = !v->at_address && v->type->size > 4;
	if (v->at_address)
		add_step(v, (struct access_step){ .kind = STEP_DEREF, .size = 4 });
	return true;
}

/* A parameter, a local, or a variable of the file. */
static bool base_variable(struct value *v, const struct node *n)
{
	const struct variable *var;
	const char *why = NULL;

	if (!strcmp(n->name, "$return") && !v->cp->is_tracepoint)
		return base_return(v, n);
	var = variable(v->cp, n->name + 1);
	if (!var && v->cp->target && !v->cp->is_tracepoint && !v->cp->place->scope)
		return undescribed(n, v->cp);
	if (!var)
		return unknown_variable(n, v->cp);
	if (!computable(var, &why))
		return unavailable(n, v->cp, why);
	v->a->base = ACC_LOCATION;
	v->a->location = var->location;
	v->type = var->type;
	v->at_address = var->location.kind == LOC_ADDRESS;
	if (v->type)
		return true;
	return error(n->loc, DIAG_TARGET_TYPE, "the type of '%s' is unknown", n->name);
}

static bool base_cast(struct value *v, const struct node *n)
{
	v->type = named_type(v->program, v->cp, n);
	if (!v->type)
		return false;
	v->a->base = ACC_EXPR;
	v->a->said = true;
	v->base = n->kid[0];
	v->at_address = true;
	v->fresh = v->type->kind != CT_POINTER;
	return true;
}

static bool no_globals(struct value *v, struct target *t, const struct node *n)
{
	error(n->loc, DIAG_NO_DEBUGINFO, "only DWARF can tell of the variable '%s'", n->text);
	target_note_install(t, n->loc);
	return false;
}

/* The session is to know the file at PATH: mappings of it are looked for. */
static void need_object(struct program *p, const char *path)
{
	struct object_path **end = &p->objects;

	for (; *end; end = &(*end)->next)
		if (!strcmp((*end)->path, path))
			return;
	*end = arena_new(&program_arena, struct object_path);
	(*end)->path = path;
}

void context_need_module(struct program *p, const struct target *t, bool cast)
{
	const char *name = t ? target_module(t) : NULL, *id = t ? target_build_id(t) : NULL;
	struct module_build **end = &p->modules;

	if (!name || !id)
		return;
	while (*end && strcmp((*end)->name, name))
		end = &(*end)->next;
	if (!*end) {
		*end = arena_new(&program_arena, struct module_build);
		**end = (struct module_build){ .name = name, .build_id = id, .file = target_module_file(t) };
	}
	(*end)->cast |= cast;
}

/* Sets the location and type of a variable; a missing one leaves the type alone. */
static bool find_global(struct target *t, const struct node *n, void *data)
{
	struct value *v = data;
	const char *at = strchr(n->text, '@');
	const char *name = at ? arena_strndup(&program_arena, n->text, (size_t)(at - n->text)) : n->text;
	const struct variable *var;
	const char *why = NULL;

	if (!target_has_globals(t))
		return no_globals(v, t, n);
	var = target_global(t, name, at ? at + 1 : NULL);
	if (!var)
		return false;
	if (!computable(var, &why)) {
		return error(n->loc, DIAG_OPTIMIZED_OUT, "the variable '%s' is not available: %s", n->text, why);
	}
	v->a->base = ACC_LOCATION;
	v->a->location = var->location;
	if (target_is_user(t) && t != v->cp->target) {
		v->a->location = target_in_process(t, &var->location);
		need_object(v->program, target_path(t));
	}
	if (v->a->location.kind == LOC_NONE) {
		return error(n->loc, DIAG_OPTIMIZED_OUT, "the variable '%s' is not available: %s", n->text, v->a->location.why);
	}
	v->at_address = v->a->location.kind == LOC_ADDRESS;
	v->type = var->type;
	if (!v->type)
		error(n->loc, DIAG_TARGET_TYPE, "the type of '%s' is unknown", n->text);
	return v->type != NULL;
}

/* @percpu("name", cpu): the copy that CPU number CPU has of the variable V. */
static bool step_cpu(struct value *v, const struct node *n)
{
	for (int i = 0; v->at_address && i < v->a->location.n_ops; i++) {
		if (v->a->location.ops[i].atom != LOC_OP_THIS_CPU)
			continue;
		add_step(v, (struct access_step){ .kind = STEP_CPU, .index = n->kid[0] });
		return true;
	}
	error(n->loc, DIAG_TARGET_VAR, "'%s' is no per-CPU variable", n->text);
	note(n->loc, "write @var(\"%s\"): it has one copy", n->text);
	return false;
}

static bool search_global(struct value *v, const struct node *n)
{
	struct target *here = named_without_module(v->cp), *t = here ? here : n->text2 ? NULL : context_kernel(v->program);
	size_t len = strcspn(n->text, "@");
	struct nearest near = { .word = arena_strndup(&program_arena, n->text, len) };
	int errors = diag_errors(v->program->reports);

	if (named_search(v->program, v->cp, n, find_global, v) && v->type)
		return true;
	if (diag_errors(v->program->reports) > errors || (!t && !n->text2))
		return false;
	error(n->loc, DIAG_TARGET_VAR, "no variable '%s' in %s", n->text, named_searched(v->cp, n));
	if (!t || !note_is_wanted(n->loc))
		return false;
	if (n->text[len] && target_global(t, near.word, NULL))
		note(n->loc, "there is a '%s' in another file", near.word);
	else
		target_global_names(t, nearest_add_name, &near);
	if (nearest_get(&near))
		note(n->loc, "did you mean '%s'?", nearest_get(&near));
	return false;
}

/* @var("name@file", "module"), @percpu("name@file", cpu, "module") */
static bool base_global(struct value *v, const struct node *n)
{
	return search_global(v, n) && (!n->kid[0] || step_cpu(v, n));
}

const struct ctype *context_points_to(const struct node *n)
{
	const struct ctype *a;

	if (n->access && n->access->address)
		return n->access->type;
	if (n->access && n->access->type && n->access->type->kind == CT_ENUM)
		return n->access->type;
	if (n->access)
		return n->access->type && n->access->type->kind == CT_POINTER ? ctype_pointee(n->access->type) : NULL;
	if (n->points_to)
		return n->points_to;
	switch (n->kind) {
	case ND_NAME:
		return n->sym ? n->sym->points_to : NULL;
	case ND_INDEX:
		return context_points_to(n->kid[0]);
	case ND_CALL:
		return n->func ? n->func->points_to : NULL;
	case ND_COND:
		a = context_points_to(n->kid[1]);
		return a ? a : context_points_to(n->kid[2]);
	case ND_ASSIGN:
		return n->op == OP_ASSIGN ? context_points_to(n->kid[1]) : NULL;
	default: /* nothing to do for other kinds */
		break;
	}
	return NULL;
}

const struct ctype *context_char_array(const struct node *n)
{
	const struct ctype *array = NULL, *element;

	if (n->kind == ND_CALL)
		array = n->points_to; /* kept at the entry */
	else if (n->access && n->access->address && n->kind != ND_ADDRESS && n->kind != ND_CAST)
		array = n->access->type;
	element = array && array->kind == CT_ARRAY ? ctype_pointee(array) : NULL;
	return element && ctype_is_text(element) ? array : NULL;
}

/* Any other value of the script whose type is known: it is the address. */
static bool base_typed(struct value *v, struct node *n)
{
	v->type = context_points_to(n);
	if (!v->type) {
		error(n->loc, DIAG_TARGET_TYPE, "the type of what '->' or '[]' is applied to is not known");
		if (n->kind == ND_STR || n->type == TY_STRING)
			note(n->loc, "substr(text, start, length) is a part of a string");
		else if (!habit_note(HABIT_VALUE, n->loc))
			note(n->loc, "name the type: @cast(..., \"struct NAME\")->member");
		return false;
	}
	v->a->base = ACC_EXPR;
	v->base = n;
	v->at_address = true;
	v->fresh = true;
	return true;
}

/* ---- the steps ---- */
/* The pointer so far is followed. */
static bool follow(struct value *v, const struct node *n)
{
	const struct ctype *to = ctype_pointee(v->type);

	if (!to)
		return error(n->loc, DIAG_TARGET_TYPE, "a '%s' points at nothing of known type",
						v->type->name);
	/* Damaged debugging information may say any size. */
	add_step(v, (struct access_step){ .kind = STEP_DEREF, .size = v->type->size == 4 ? 4 : 8 });
	v->type = to;
	v->at_address = true;
	return true;
}

/* Names of members for a note. */
struct name_list {
	struct text t;
	int n;
};

static void list_member(const char *name, void *data)
{
	struct name_list *l = data;

	if (l->n++ < 20)
		text_printf(&l->t, "%s%s", l->t.len ? ", " : "", name);
}

enum { INNER_MAX = 1000 };

/* Looks for a member in the structures that are members of OUTER: C has macros for such (sk_family is __sk_common.skc_family). */
struct inner_search {
	const struct ctype *outer;
	int n; /* members of OUTER so far: each is looked for by its name, so INNER_MAX are enough */
	const char *word, *member, *found;
};

/* Returns NAME without its prefix: "family" for sk_family. */
static const char *without_prefix(const char *name)
{
	const char *end = strchr(name, '_');

	return end && end != name && end[1] ? end + 1 : name;
}

static void compare_inner(const char *name, void *data)
{
	struct inner_search *s = data;

	if (!s->found && !strcmp(without_prefix(name), without_prefix(s->word)))
		s->found = arena_printf(&program_arena, "%s->%s", s->member, name);
}

static void search_inner(const char *name, void *data)
{
	struct inner_search *s = data;
	struct member m;

	s->member = name;
	if (!s->found && s->n++ < INNER_MAX && ctype_member(s->outer, name, &m) && is_record(m.type))
		ctype_member_names(m.type, compare_inner, s);
}

static bool no_member(const struct value *v, const struct node *n)
{
	struct nearest near = { .word = n->name };
	struct inner_search inner = { .outer = v->type, .word = n->name };
	struct name_list all = {};
	const struct node *base = n;

	error(n->loc, DIAG_TARGET_MEMBER, "'%s' has no member '%s'", v->type->name, n->name);
	ctype_member_names(v->type, nearest_add_name, &near);
	if (!nearest_get(&near))
		ctype_member_names(v->type, search_inner, &inner);
	if (nearest_get(&near) || inner.found)
		note(n->loc, "did you mean '%s'?", inner.found ? inner.found : nearest_get(&near));
	ctype_member_names(v->type, list_member, &all);
	if (all.n)
		note(n->loc, "it has: %s%s", text_str(&all.t), all.n > 20 ? ", ..." : "");
	else
		note(n->loc, "the debugging information does not describe its members");
	text_deinit(&all.t);
	while (base->kind == ND_ARROW || base->kind == ND_SUBSCRIPT)
		base = base->kid[0];
	if (base->kind == ND_CAST)
		named_note_program(v->program, v->cp, base);
	return false;
}

/* A variant of the value so far, which is in registers, is read. */
static void add_variant(struct access *a, struct access_variant *variant)
{
	variant->location = location_part(&a->location, variant->offset, variant->type->size);
	variant->next = a->variants;
	a->variants = variant;
}

static bool unplaced(const struct value *v, const struct node *n, const char *why)
{
	error(n->loc, DIAG_NO_DEBUGINFO, "'->%s': where '%s' has it is not known: %s", n->name, v->type->name, why);
	note(n->loc, "the kernel has CONFIG_RANDSTRUCT, and the debugging information has the order of the source; embedded C (-g) has "
	     "the right one");
	return false;
}

/* `->name`, on a structure or a pointer to one. */
static bool step_member(struct value *v, const struct node *n)
{
	struct access_variant *variant;
	struct member m;

	if (v->a->bit_size)
		return error(n->loc, DIAG_TARGET_TYPE, "a bitfield has no members");
	if (v->type->kind == CT_POINTER && !v->fresh && !follow(v, n))
		return false;
	v->fresh = false;
	if (!is_record(v->type)) {
		error(n->loc, DIAG_TARGET_TYPE, "'->%s' on a '%s', which has no members", n->name, v->type->name);
		if (v->type->kind == CT_POINTER)
			note(n->loc, "a pointer to a pointer is followed with [0]");
		return false;
	}
	if (!ctype_member(v->type, n->name, &m))
		return m.unplaced ? unplaced(v, n, m.unplaced) : no_member(v, n);
	variant = variant_of(v->type, n->name);
	if (v->at_address) {
		if (variant)
			add_step(v, (struct access_step){ .kind = STEP_VARIANT, .variant = variant });
		add_step(v, (struct access_step){ .kind = STEP_MEMBER, .offset = m.offset });
	} else {
		if (variant)
			add_variant(v->a, variant);
		/* The declared type of a bitfield may reach beyond the structure. */
		v->a->location = location_part(&v->a->location, m.offset,
					       m.bit_size ? (m.bit_offset + m.bit_size + 7) / 8 : m.type->size);
		v->at_address = v->a->location.kind == LOC_ADDRESS;
		v->a->partial = m.type->size < HELD_MAX && m.type->size < v->type->size;
		if (v->a->location.kind == LOC_NONE)
			return error(n->loc, DIAG_OPTIMIZED_OUT, "'->%s' is not available in %s: %s",
							n->name, where(v->cp), v->a->location.why);
	}
	v->type = m.type;
	v->a->bit_offset = m.bit_offset;
	v->a->bit_size = m.bit_size;
	return true;
}

/* `[1]` on an array that is in no memory: the element is a part of the location. */
static bool step_held(struct value *v, const struct node *n, const struct ctype *element)
{
	if (n->kid[1]->kind != ND_NUM || n->kid[1]->num < 0 || (uint64_t)n->kid[1]->num >= v->type->count)
		return error(n->loc, DIAG_TARGET_TYPE, "the array is in registers here: its elements are [0] to [%llu], as numbers",
			     (unsigned long long)v->type->count - 1);
	v->a->location = location_part(&v->a->location, (uint64_t)n->kid[1]->num * element->size, element->size);
	v->a->partial = element->size < HELD_MAX;
	if (v->a->location.kind == LOC_NONE)
		return error(n->loc, DIAG_OPTIMIZED_OUT, "'[%lld]' is not available in %s: %s", n->kid[1]->num, where(v->cp),
			     v->a->location.why);
	v->at_address = v->a->location.kind == LOC_ADDRESS;
	v->type = element;
	return true;
}

/* `[i]`, on a pointer or an array in memory; the index stays an expression of the script. */
static bool step_index(struct value *v, const struct node *n)
{
	const struct ctype *element;

	if (v->fresh && v->type->kind != CT_ARRAY) {
		element = v->type;
	} else if (v->type->kind == CT_POINTER) {
		if (!follow(v, n))
			return false;
		element = v->type;
	} else if (v->type->kind == CT_ARRAY && v->at_address) {
		element = ctype_pointee(v->type);
	} else if (v->type->kind == CT_ARRAY && v->type->count && ctype_pointee(v->type) && ctype_pointee(v->type)->size) {
		return step_held(v, n, ctype_pointee(v->type));
	} else {
		return error(n->loc, DIAG_TARGET_TYPE, "'[]' on a '%s', which has no elements here",
						v->type->name);
	}
	if (!element || (!element->size && element->kind != CT_VOID))
		return error(n->loc, DIAG_TARGET_TYPE, "the size of an element of '%s' is unknown",
						v->type->name);
	v->fresh = false;
	add_step(v, (struct access_step){ .kind = STEP_INDEX, .index = n->kid[1],
					  .size = element->size ? element->size : 1 });
	v->type = element;
	v->at_address = true;
	return true;
}

static bool follow_chain(struct value *v, struct node *n, int depth);

/* `(&x)->m`, `(&x)[1]`: X is in memory, and is one or the first of several. */
static bool step_address(struct value *v, struct node *n, int depth)
{
	if (!follow_chain(v, n->kid[0], depth + 1))
		return false;
	v->fresh = true;
	if (v->at_address && !v->a->bit_size)
		return true;
	return error(n->loc, DIAG_TARGET_TYPE, v->a->bit_size ? "a bitfield has no address"
							: "it has no address: it is in a register at this place");
}

/* From the variable outwards: N is the outermost step. */
static bool follow_chain(struct value *v, struct node *n, int depth)
{
	if (depth > CHAIN_MAX)
		return error(n->loc, DIAG_TARGET_TYPE, "more than %d members in one expression", CHAIN_MAX);
	switch (n->kind) {
	case ND_TARGET:
		/* One that is computed already, in a branch of ?: that was chosen late, is a value like any other. */
		return n->access ? base_typed(v, n) : base_variable(v, n);
	case ND_CAST:
		return base_cast(v, n);
	case ND_VAR:
		return base_global(v, n);
	case ND_ADDRESS:
		return n->access ? base_typed(v, n) : step_address(v, n, depth);
	case ND_ARROW:
		return follow_chain(v, n->kid[0], depth + 1) && step_member(v, n);
	case ND_SUBSCRIPT:
		return follow_chain(v, n->kid[0], depth + 1) && step_index(v, n);
	default: /* nothing to do for other kinds */
		break;
	}
	return base_typed(v, n);
}

/* ---- the result ---- */
bool context_is_held(const struct ctype *ct)
{
	return ct->size == 1 || ct->size == 2 || ct->size == 4 || ct->size == HELD_MAX;
}

/* The value of the last type must be one that a long can hold. */
static bool finish_value(struct value *v, const struct node *n)
{
	const char *name = v->type->name;

	switch (v->type->kind) {
	case CT_ARRAY:
	case CT_FUNCTION:
		if (v->at_address) {
			v->a->address = true;
			return true;
		}
		break;
	case CT_STRUCT:
	case CT_UNION:
		if (n->kind == ND_CAST)
			break;
		error(n->loc, DIAG_TARGET_TYPE, "a whole '%s' does not fit in a long", name);
		if (habit_note(HABIT_VALUE, node_start(n)))
			return false;
		note(n->loc, v->at_address ? "name a member with '->', or take its address with '&'"
					   : "name a member with '->'");
		return false;
	case CT_FLOAT:
		/* Its bits are what fp_to_string() and the like take, of a float after fp32_to_fp64(). */
		if (v->at_address && (v->type->size == 4 || v->type->size == 8))
			break;
		error(n->loc, DIAG_TARGET_TYPE, "this '%s' is a floating point number%s", name,
		      v->at_address ? " that does not fit in a long" : " in a register that probes cannot read");
		return false;
	case CT_VOID:
		return error(n->loc, DIAG_TARGET_TYPE, "a void has no value");
	case CT_INT:
	case CT_BOOL:
	case CT_CHAR:
	case CT_ENUM:
	case CT_POINTER:
		break;
	}
	if (n->kind == ND_CAST || v->a->bit_size || context_is_held(v->type))
		return true;
	return error(n->loc, DIAG_TARGET_TYPE, "a '%s' of %llu bytes %s", name, (unsigned long long)v->type->size,
		     v->type->size > HELD_MAX ? "does not fit in a long" : "cannot be read as a number");
}

/* `&`: what is in memory has an address, what is in a register or a bitfield has none. */
static bool finish_address(struct value *v, const struct node *n)
{
	if (v->at_address && !v->a->bit_size) {
		v->a->address = true;
		return true;
	}
	error(n->loc, DIAG_TARGET_TYPE, v->a->bit_size ? "a bitfield has no address"
						       : "it has no address: it is in a register at this place");
	return false;
}

/* ---- text: $$vars, $x$ ---- */
/* Is it described by the values that two registers had at the function's entry? One register is kept for a variable. */
static bool needs_two_registers(const struct access *a)
{
	return a->base == ACC_LOCATION && location_entry_register(&a->location) == LOC_ENTRY_SEVERAL;
}

/* Is V a structure without an address, of which parts may be missing? */
static bool in_pieces(const struct value *v)
{
	return is_record(v->type) && !v->at_address;
}

bool context_printable(struct program *p, const struct context_place *cp, struct node *n)
{
	struct access scratch = {};
	struct value v = { .program = p, .cp = cp, .a = &scratch, .end = &scratch.steps };
	struct trial trial;
	bool printable;

	trial_begin(diag_reports(n->loc), &trial, TRIAL_DROPS);
	printable = follow_chain(&v, n, 0) && !needs_two_registers(&scratch) && finish_value(&v, n);
	trial_end(&trial);
	return printable;
}

/* One entry of a list; unavailable ones are shown as such, never an error. */
static void add_listed(struct pretty *out, struct program *p, const struct context_place *cp, const char *name, int pretty)
{
	struct node *n = node_new(ND_TARGET, out->print->loc);
	struct access scratch = {};
	struct value v = { .program = p, .cp = cp, .a = &scratch, .end = &scratch.steps };
	const struct ctype *type;
	struct trial trial;

	n->name = intern(arena_printf(&program_arena, "$%s", name));
	text_puts(&out->format, out->format.len || out->before ? " " : "");
	pretty_name(out, name);
	text_puts(&out->format, "=");
	trial_begin(diag_reports(n->loc), &trial, TRIAL_DROPS);
	type = follow_chain(&v, n, 0) && !needs_two_registers(&scratch) ? v.type : NULL;
	if (!type)
		text_puts(&out->format, "?");
	else if (pretty)
		pretty_add(out, "%s", pretty_value(p, n, type, pretty > 1, in_pieces(&v) ? cp : NULL));
	else if (is_record(type))
		text_puts(&out->format, "{...}");
	else if (type->kind == CT_ARRAY)
		text_puts(&out->format, "[...]");
	else if (finish_value(&v, n))
		pretty_add(out, "%#x", n);
	else
		text_puts(&out->format, "?");
	trial_end(&trial);
}

/* $$vars, $$parms, $$locals, $$return: a sprintf of "name=%#x" for each, or of its value in full. */
static bool expand_list(struct program *p, const struct context_place *cp, struct node **np)
{
	struct node *n = *np;
	bool parms = !strcmp(n->name, "$$parms") || !strcmp(n->name, "$$vars");
	bool locals = !strcmp(n->name, "$$locals") || !strcmp(n->name, "$$vars");
	bool ret = !strcmp(n->name, "$$return");
	struct pretty out;

	if (!parms && !locals && !ret) {
		error(n->loc, DIAG_TARGET_VAR, "no variable list '%s'", n->name);
		note(n->loc, "there are $$vars, $$parms, $$locals and $$return");
		return false;
	}
	pretty_start(&out, n->loc);
	for (const struct variable *v = parms || locals ? variables(cp) : NULL; v; v = v->next)
		if (v->parameter ? parms : locals)
			add_listed(&out, p, cp, v->name, n->pretty);
	if (ret && cp->at_return && target_return_type(cp->target, cp->place))
		add_listed(&out, p, cp, "return", n->pretty);
	*np = pretty_finish(&out);
	return true;
}

/* $x$ and $x->y$$: a sprintf of the whole value. */
static bool expand_pretty(struct program *p, const struct context_place *cp, struct node **np)
{
	struct access scratch = {};
	struct value v = { .program = p, .cp = cp, .a = &scratch, .end = &scratch.steps };
	struct node *plain = node_clone(*np);
	const struct ctype *type = follow_chain(&v, *np, 0) ? v.type : NULL;

	if (!type)
		return false;
	plain->pretty = 0;
	plain->next = NULL;
	*np = pretty_value(p, plain, type, (*np)->pretty > 1, in_pieces(&v) ? cp : NULL);
	return true;
}

static bool find_variable(struct program *p, const struct context_place *cp, struct node **np, bool asked)
{
	struct node *n = *np;
	struct access *a = arena_new(&program_arena, struct access);
	struct value v = { .program = p, .cp = cp, .a = a, .end = &a->steps };
	bool address = n->kind == ND_ADDRESS;

	if (n->kind == ND_TARGET && !strncmp(n->name, "$$", 2))
		return expand_list(p, cp, np);
	if (n->pretty)
		return expand_pretty(p, cp, np);
	if (!follow_chain(&v, address ? n->kid[0] : n, 0))
		return false;
	a->base_type = v.type;
	if (!asked)
		context_need_module(p, v.type->target, a->said && v.type->target != cp->target);
	/* A type of the kernel is of the kernel's memory, wherever the probe is. */
	a->user_memory = target_is_user(v.type->target);
	/* A structure is there, although it has no value of its own. */
	if (asked && (n->kind == ND_VAR || n->kind == ND_TARGET) && v.at_address && is_record(v.type))
		return true;
	if (address ? !finish_address(&v, n) : !finish_value(&v, n))
		return false;
	a->type = v.type;
	/* A bare cast is its operand. */
	if (n->kind == ND_CAST)
		a->address = true;
	/* Else the kids stay as written, for printing: passes visit the access only. */
	if (a->base == ACC_EXPR)
		n->kid[0] = v.base;
	n->access = a;
	return true;
}

bool context_variable(struct program *p, const struct context_place *cp, struct node **np, bool asked)
{
	struct trial trial = { 0 };
	bool found;

	if (asked)
		trial_begin(p->reports, &trial, TRIAL_DROPS);
	found = find_variable(p, cp, np, asked);
	trial_end(&trial);
	return found;
}

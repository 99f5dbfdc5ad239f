/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of programs (sys/sdt.h), and the stubs through which they call libraries.
 *
 *	.mark("m"), .provider("p").mark("m")   $arg1 to $arg12, $$name $$provider $$parms $$vars; globs
 *	.plt[("f")][.return]                   $$name
 */
#include <fnmatch.h>
#include <string.h>

#include "translator/debuginfo/sdt.h"
#include "translator/probe/process.h"

/* ---- matching ---- */
/* WANTED as the note has it: dtrace(1) writes "a__b" for what users know as "a-b". */
static bool name_matches(const char *wanted, const char *name)
{
	_cleanup_text_ struct text t = {};

	if (!fnmatch(wanted, name, 0))
		return true;
	for (const char *s = wanted; *s; s++)
		text_puts(&t, *s == '-' ? "__" : ((char[]){ *s, 0 }));
	return !fnmatch(text_str(&t), name, 0);
}

/* ---- marks ---- */
static const struct ctype *long_of(const struct target *t, const struct sdt_argument *a)
{
	struct ctype *ct = arena_new(&program_arena, struct ctype);

	*ct = (struct ctype){ .kind = CT_INT, .name = "long", .size = a->size, .is_signed = a->is_signed, .target = t };
	return ct;
}

static const struct variable *arguments(const struct target *t, const struct sdt_mark *m)
{
	struct variable *first = NULL, **end = &first;

	for (int i = 0; i < m->n_args; i++) {
		*end = arena_new(&program_arena, struct variable);
		**end = (struct variable){ .name = intern(arena_printf(&program_arena, "arg%d", i + 1)), .parameter = true,
					   .type = long_of(t, &m->arg[i]), .location = m->arg[i].location };
		end = &(*end)->next;
	}
	return first;
}

static void add_mark(struct resolve *r, struct target *t, const struct process_file *f, const struct sdt_mark *m)
{
	struct place *p = arena_new(&program_arena, struct place);
	bool provider = process_part(r->point, "provider") != NULL;
	const char *pp = provider ? arena_printf(&program_arena, "%s.provider(\"%s\").mark(\"%s\")", f->point, m->provider, m->name)
				  : arena_printf(&program_arena, "%s.mark(\"%s\")", f->point, m->name);
	struct process_probe *up;

	*p = (struct place){ .address = m->address, .func = arena_printf(&program_arena, "mark %s", m->name) };
	up = process_add(r, t, f, p, false, pp);
	if (!up)
		return;
	up->what = arena_printf(&program_arena, "mark %s:%s", m->provider, m->name);
	up->mark = m;
	up->name = m->name;
	up->cp.is_tracepoint = true;
	up->cp.arguments = arguments(t, m);
	/* One that is in no writable part of the file cannot be counted, and the mark fires without. */
	if (m->semaphore && !target_file_offset(t, m->semaphore, &up->semaphore))
		up->semaphore = 0;
}

bool process_marks(struct resolve *r, struct target *t, const struct process_file *f)
{
	const struct node *name = process_part(r->point, "mark")->arg;
	const struct component *provider = process_part(r->point, "provider");
	const struct sdt_mark *marks = target_marks(t);
	struct nearest near = { .word = name->text };
	int before = r->found;

	for (const struct sdt_mark *m = marks; m; m = m->next)
		if (name_matches(name->text, m->name) && (!provider || name_matches(provider->arg->text, m->provider)))
			add_mark(r, t, f, m);
	if (r->found > before || r->point->optional)
		return true;
	error(name->loc, DIAG_NO_MATCH, "'%s' matches no mark of %s", probe_point_text(r->point), target_path(t));
	for (const struct sdt_mark *m = marks; m; m = m->next)
		nearest_add(&near, m->name);
	if (!marks)
		note(name->loc, "the file has no marks: it was compiled without <sys/sdt.h>, or they are in a library of it");
	else if (nearest_get(&near))
		note(name->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(name->loc, "ktap -l 'process(\"%s\").mark(\"*\")' lists them", target_path(t));
	return false;
}

/* ---- calls to libraries ---- */
bool process_plt(struct resolve *r, struct target *t, const struct process_file *f)
{
	const struct component *c = process_part(r->point, "plt");
	const char *wanted = c->arg ? c->arg->text : "*";
	bool at_return = process_part(r->point, "return") != NULL;
	struct nearest near = { .word = wanted };
	const struct place *stubs = target_plt(t);
	int before = r->found;

	for (const struct place *p = stubs; p; p = p->next) {
		struct process_probe *up;

		nearest_add(&near, p->func);
		if (fnmatch(wanted, p->func, 0))
			continue;
		up = process_add(r, t, f, p, at_return, arena_printf(&program_arena, "%s.plt(\"%s\")%s", f->point, p->func,
								     at_return ? ".return" : ""));
		if (!up)
			continue;
		up->what = arena_printf(&program_arena, "stub of %s", p->func);
		up->name = p->func;
		up->cp.is_tracepoint = true;
	}
	if (r->found > before || r->point->optional)
		return true;
	error(c->loc, DIAG_NO_MATCH, "'%s' matches no function that %s calls in libraries", probe_point_text(r->point), target_path(t));
	if (!stubs)
		note(c->loc, "the file has no stubs: it is static, or was linked to call without them (-z now, -fno-plt)");
	else if (nearest_get(&near))
		note(c->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(c->loc, "ktap -l 'process(\"%s\").plt' lists them", target_path(t));
	return false;
}

/* ---- variables ---- */
/* A mark has the variables of the code around it beside its arguments, where debugging information describes that. */
static void describe_place(struct process_probe *up)
{
	const struct place *at = up->mark && up->cp.is_tracepoint ? target_place_at(up->cp.target, up->cp.place->address) : NULL;
	struct place *p;

	if (!at)
		return;
	p = arena_new(&program_arena, struct place);
	*p = *at;
	p->next = NULL;
	up->cp.place = p;
	up->cp.is_tracepoint = false;
}

/* Does the chain N begin with an argument of the mark, or ask for all of them? */
static bool is_argument(const struct process_probe *up, const struct node *n)
{
	const struct variable *v = up->cp.arguments;

	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS)
		n = n->kid[0];
	while (n->kind == ND_TARGET && v && strcmp(v->name, n->name + 1))
		v = v->next;
	return v || n->kind != ND_TARGET || !strcmp(n->name, "$$parms");
}

bool process_mark_variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct process_probe *up = pr->data;
	struct node *n = *np;
	const char *text = NULL;

	if (n->kind == ND_ENTRY)
		return error(n->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
	if (n->kind == ND_TARGET && !strcmp(n->name, "$$name"))
		text = up->name;
	else if (n->kind == ND_TARGET && !strcmp(n->name, "$$provider") && up->mark)
		text = up->mark->provider;
	if (!text && !is_argument(up, n))
		describe_place(up);
	if (!text)
		return context_variable(p, &up->cp, np, asked);
	*np = node_new(ND_STR, n->loc);
	(*np)->text = text;
	(*np)->text_len = strlen(text);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where @cast and @var look: in the file of the place, in the kernel, or in the modules that they list. */
#include "translator/probe/named.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/header.h"
#include "translator/probe/probe.h"

/* "HEADER" of PREFIX "HEADER>"; or NULL. */
static const char *header_of(const char *name, const char *prefix)
{
	size_t len = strlen(name), n = strlen(prefix);

	if (strncmp(name, prefix, n) || len < n + 1 || name[len - 1] != '>')
		return NULL;
	return arena_strndup(&program_arena, name + n, len - n - 1);
}

/* True if PATH is that of a kernel module, packed or not. Directories may have any name. */
static bool is_module_file(const char *path)
{
	const char *dot = strchr(strrchr(path, '/'), '.');

	return dot && (!strcmp(dot, ".ko") || !strncmp(dot, ".ko.", 4));
}

struct target *context_module(struct program *p, const char *name, struct loc loc)
{
	_cleanup_free_ char *path = NULL;
	const struct kernel *k;
	const char *header;

	/* A header of the kernel declares what the kernel's debugging information describes. */
	if (!strcmp(name, "kernel") || !strncmp(name, "kernel<", 7))
		return context_kernel(p);
	header = header_of(name, "<");
	if (header)
		return target_open_header(context_opened(p), NULL, header, loc);
	if (strchr(name, '/') && !is_module_file(name)) {
		path = realpath(name, NULL); /* as the probes of it know it */
		return target_open_program(context_opened(p), path ? arena_strdup(&program_arena, path) : name, loc);
	}
	k = kernel_find(p->reports, p->platform.release);
	return k ? target_open_module(context_opened(p), k, name, p->platform.debuginfo, loc) : NULL;
}

/* One name of a module list. SEVERAL: its absence is not reported. */
static struct target *module_of(struct program *p, const struct node *n, const char *name, bool several)
{
	struct trial trial = { 0 };
	struct target *t;

	if (several)
		trial_begin(p->reports, &trial, TRIAL_DROPS);
	t = context_module(p, name, n->loc);
	trial_end(&trial);
	return t;
}

/* What "kernel<HEADER>" declares and the kernel's debugging information does not describe; *t stays when NAME is not of that form. */
static bool kernel_header(struct program *p, const struct node *n, const char *name, bool several, struct target **t)
{
	const char *header = header_of(name, "kernel<");
	const struct kernel *k = header ? kernel_find(p->reports, p->platform.release) : NULL;
	struct trial trial = { 0 };

	if (!k)
		return false;
	if (several)
		trial_begin(p->reports, &trial, TRIAL_DROPS);
	*t = target_open_header(context_opened(p), k, header, n->loc);
	trial_end(&trial);
	return true;
}

struct target *named_without_module(const struct context_place *cp)
{
	return cp->interpreted ? NULL : cp->target;
}

bool named_search(struct program *p, const struct context_place *cp, const struct node *n, named_find_fn *find, void *data)
{
	char *list = n->text2 ? arena_strdup(&program_arena, n->text2) : NULL, *save = NULL;
	struct target *here = named_without_module(cp), *t = here ? here : list ? NULL : context_kernel(p);
	bool several = list && strchr(list, ':');

	/* The kernel may describe a type that the module does not. */
	if (!list)
		return t && (find(t, n, data) || (target_module(t) && context_kernel(p) && find(context_kernel(p), n, data)));
	for (char *name = strtok_r(list, ":", &save); name; name = strtok_r(NULL, ":", &save)) {
		t = module_of(p, n, name, several);
		if (!t && several)
			continue;
		if (!t || find(t, n, data))
			return t != NULL;
		if (!kernel_header(p, n, name, several, &t) || (!t && several))
			continue;
		if (!t || find(t, n, data))
			return t != NULL;
	}
	return false;
}

/* The cast N takes the first of NUMBER types. Each member of it asks for it again. */
static void warn_of_namesakes(struct program *p, const struct context_place *cp, unsigned number, const struct node *n)
{
	const struct loc *last = &p->warned.namesakes;

	if (number <= 1 || (p->warned.namesakes_at == cp->place && last->src == n->loc.src && last->line == n->loc.line &&
			    last->col == n->loc.col))
		return;
	if (!warning(n->loc, DIAG_TARGET_TYPE, "%u types of the kernel are called '%s', and the first is taken", number, n->text))
		return;
	p->warned.namesakes_at = cp->place;
	p->warned.namesakes = n->loc;
	note(n->loc, "in a probe of a function it is the one of the function's file, where that has one");
}

struct type_search {
	struct program *program;
	const struct context_place *cp;
	const struct ctype *type;
};

static bool find_type(struct target *t, const struct node *n, void *data)
{
	struct type_search *s = data;
	const struct place *p = t == s->cp->target ? s->cp->place : NULL;
	unsigned number = kernel_types_named(t, n->text);

	/* To look into a unit of a kernel takes 10 ms, and most types are those of all units. */
	s->type = p && number != 1 ? target_type_at(t, p, n->text) : NULL;
	if (s->type)
		return true;
	s->type = target_type(t, n->text);
	if (s->type)
		warn_of_namesakes(s->program, s->cp, number, n);
	return s->type != NULL;
}

const char *named_searched(const struct context_place *cp, const struct node *n)
{
	struct target *t = named_without_module(cp);

	if (n->text2)
		return n->text2;
	if (t && target_is_user(t))
		return target_path(t);
	return t && target_module(t) ? target_module(t) : "the kernel";
}

void named_note_program(struct program *p, const struct context_place *cp, const struct node *n)
{
	struct target *here = named_without_module(cp);

	if (n->text2 || (here && target_is_user(here)))
		return;
	for (const struct probe *pr = p->probes; pr; pr = pr->next) {
		const struct context_place *there = context_of(pr);
		struct target *t = there ? there->target : NULL;

		if (!t || !target_is_user(t) || !target_type(t, n->text))
			continue;
		note(n->loc, "a type of a program is found where the program is named: @cast(..., \"%s\", \"%s\")", n->text, target_path(t));
		return;
	}
}

/* No type is called what N asks for: the nearest name where it was looked for first. */
static void unknown_type(struct program *p, const struct context_place *cp, const struct node *n)
{
	static const char *const kinds[] = { "struct ", "union ", "enum " };
	char *list = n->text2 ? arena_strndup(&program_arena, n->text2, strcspn(n->text2, ":")) : NULL;
	struct target *here = list ? NULL : named_without_module(cp), *t;
	struct nearest near = { .word = n->text };

	error(n->loc, DIAG_TARGET_TYPE, "no type '%s' in the debugging information of %s", n->text, named_searched(cp, n));
	if (!note_is_wanted(n->loc)) /* a look at all names of types takes long */
		return;
	t = here ? here : list ? module_of(p, n, list, true) : context_kernel(p);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(near.word, kinds[i], strlen(kinds[i])))
			near.word += strlen(kinds[i]);
	if (t)
		target_type_names(t, nearest_add_name, &near);
	if (nearest_get(&near))
		note(n->loc, "did you mean '%s'?", nearest_get(&near));
	else if (t && target_is_user(t) && !target_has_lines(t))
		target_note_install(t, n->loc);
	named_note_program(p, cp, n);
}

/* @cast(address, "type"): the script's own value is the address of a TYPE. */

const struct ctype *named_type(struct program *p, const struct context_place *cp, const struct node *n)
{
	struct type_search s = { .program = p, .cp = cp };
	int errors = diag_errors(p->reports);

	if (named_search(p, cp, n, find_type, &s))
		return s.type;
	if (diag_errors(p->reports) == errors)
		unknown_type(p, cp, n);
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that a script needs for stacks of user programs and for source lines: whether it takes any, and the objects of -d, whose
 * tables the loader makes. The module carries names only: tables are of the files on the machine where it runs.
 */
#include "translator/gen/parts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/map.h"
#include "translator/probe/probe.h"

/* Does a function that is called say WHAT in its body? */
static bool calls(const struct program *p, const char *what)
{
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->used && f->kit && f->c_body && strstr(f->c_body, what))
			return true;
	return false;
}

static bool hits_programs(const struct program *p)
{
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		if (pr->family && pr->family->in_programs)
			return true;
	return false;
}

static bool takes_user_stacks(const struct program *p)
{
	return calls(p, "/* user stack */") || p->user_stacks || p->objects || (calls(p, "/* user probe */") && hits_programs(p));
}

static bool takes_kernel_lines(const struct program *p)
{
	return calls(p, "/* kernel lines */");
}

/* The paths of objects: of -d, of those whose variables are read, and of those that are probed. The loader knows modules of the kernel by
 * their names, *.ko. */
static struct map objects_of(const struct program *p)
{
	struct map objects = { 0 };

	for (const char **o = p->session.objects; o && *o; o++)
		map_add(&objects, *o, 0);
	for (const struct module_build *m = takes_kernel_lines(p) ? p->modules : NULL; m; m = m->next) {
		_cleanup_free_ char *path = m->file ? realpath(m->file, NULL) : NULL;

		if (path)
			map_add(&objects, intern(path), 0);
	}
	for (const struct object_path *o = p->objects; o; o = o->next)
		map_add(&objects, o->path, 0);
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		if (pr->family && pr->family->file)
			map_add(&objects, pr->family->file(pr), 0);
	return objects;
}

bool gen_objects(const struct gen *g, struct text *out)
{
	struct map objects = objects_of(g->p);

	if (!takes_user_stacks(g->p) && !takes_kernel_lines(g->p))
		return false;
	if (!objects.n)
		return true;
	emit_open(out, "static const char *const objects[] = {");
	for (size_t i = 0; i < objects.n; i++)
		gen_text_row(out, objects.row[i].name);
	emit_close(out, "};");
	return true;
}

void gen_script_stacks(const struct gen *g, struct text *out)
{
	const struct map objects = objects_of(g->p);
	int stacks = takes_kernel_lines(g->p) ? KT_STACKS_KERNEL_LINES : 0;

	if (takes_user_stacks(g->p))
		stacks |= KT_STACKS_USER | (g->p->session.libraries ? KT_STACKS_LIBRARIES : 0) |
			  (calls(g->p, "/* user lines */") ? KT_STACKS_LINES : 0);
	emit_line(out, ".stacks = %d,", stacks);
	if (objects.n)
		emit_line(out, ".objects = objects, .n_objects = %zu,", objects.n);
}

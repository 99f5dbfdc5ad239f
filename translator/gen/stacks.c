/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that a script needs for stacks of user programs and for source lines: whether it takes any, and the objects of -d, whose
 * tables the loader makes. The module carries names only: tables are of the files on the machine where it runs.
 */
#include <string.h>

#include "translator/gen/internal.h"

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

/* Calls FN with each object of -d, and with each whose variables are read. */
static int each_object(const struct program *p, void (*fn)(struct text *out, const char *path), struct text *out)
{
	int n = 0;

	for (const char **o = p->session.objects; o && *o; o++, n++)
		if (fn)
			fn(out, *o);
	for (const struct object_path *o = p->objects; o; o = o->next, n++)
		if (fn)
			fn(out, o->path);
	return n;
}

static void put_object(struct text *out, const char *path)
{
	struct text quoted = { 0 };

	text_quote(&quoted, path, strlen(path));
	emit_line(out, "%s,", text_str(&quoted));
	text_deinit(&quoted);
}

bool gen_objects(const struct gen *g, struct text *out)
{
	if (!takes_user_stacks(g->p))
		return calls(g->p, "/* kernel lines */");
	if (!each_object(g->p, NULL, NULL))
		return true;
	emit_open(out, "static const char *const objects[] = {");
	each_object(g->p, put_object, out);
	emit_close(out, "};");
	return true;
}

void gen_script_stacks(const struct gen *g, struct text *out)
{
	int n = each_object(g->p, NULL, NULL), kernel = calls(g->p, "/* kernel lines */") ? KT_STACKS_KERNEL_LINES : 0;

	if (!takes_user_stacks(g->p)) {
		emit_line(out, ".stacks = %d,", kernel);
		return;
	}
	emit_line(out, ".stacks = %d,",
		  KT_STACKS_USER | kernel | (g->p->session.libraries ? KT_STACKS_LIBRARIES : 0) |
			  (calls(g->p, "/* user lines */") ? KT_STACKS_LINES : 0));
	if (n)
		emit_line(out, ".objects = objects, .n_objects = %d,", n);
}

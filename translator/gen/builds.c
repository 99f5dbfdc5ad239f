/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the kernel's modules whose debugging information the script uses: those of its probes, variables and types. The session
 * compares their build-ids with those of the modules that are loaded.
 */
#include "translator/gen/parts.h"

#include <string.h>

#include "translator/probe/context.h"
#include "translator/probe/probe.h"

static void write_build(struct text *out, const struct module_build *m)
{
	text_puts(out, "\t{ ");
	text_quote(out, m->name, strlen(m->name));
	text_puts(out, ", ");
	text_quote(out, m->build_id, strlen(m->build_id));
	text_printf(out, ", %d },\n", m->cast);
}

int gen_builds(const struct gen *g, struct text *out)
{
	int n = 0;

	for (const struct probe *pr = g->p->probes; pr; pr = pr->next) {
		const struct context_place *cp = context_of(pr);

		if (cp && cp->target)
			context_need_module(g->p, cp->target, false);
	}
	if (!g->p->modules)
		return 0;
	text_puts(out, "static const struct kt_module_build module_builds[] = {\n");
	for (const struct module_build *m = g->p->modules; m; m = m->next, n++)
		write_build(out, m);
	text_puts(out, "};\n");
	return n;
}

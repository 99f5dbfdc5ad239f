/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets of the readers ask: every variable of a place, its location, its type and what that holds. */
#ifndef KTAP_FUZZ_VISIT_H
#define KTAP_FUZZ_VISIT_H

#include <string.h>

#include "lib/text.h"
#include "translator/debuginfo/target.h"

/* Structures whose members were asked for: once for each input is enough, and asking is most of the time. */
static struct {
	const char *name;
	uint64_t size;
} visited[32];
static unsigned n_visited;

static bool visit_again(const struct ctype *ct)
{
	for (unsigned i = 0; i < n_visited; i++)
		if (ct->name && visited[i].size == ct->size && !strcmp(visited[i].name, ct->name))
			return true;
	if (ct->name && n_visited < sizeof(visited) / sizeof(*visited)) {
		visited[n_visited].name = ct->name;
		visited[n_visited++].size = ct->size;
	}
	return false;
}

static void visit_type(const struct ctype *ct, int depth);

static void visit_member(const char *name, void *data)
{
	const struct ctype *ct = data;
	struct member m;

	if (ctype_member(ct, name, &m))
		visit_type(m.type, 3);
}

static void visit_type(const struct ctype *ct, int depth)
{
	if (!ct || depth > 3)
		return;
	if (depth < 3 && !((ct->kind == CT_STRUCT || ct->kind == CT_UNION) && visit_again(ct)))
		ctype_member_names(ct, visit_member, (void *)ct);
	visit_type(ctype_pointee(ct), depth + 1);
}

static void visit_place(struct target *t, const struct place *p)
{
	for (const struct variable *v = target_variables(t, p); v; v = v->next) {
		struct text c = {};
		const char *why;

		location_emit(&c, &v->location, v->type ? v->type->size : 8, "0", false, &why);
		text_deinit(&c);
		visit_type(v->type, 0);
		target_variable(t, p, v->name);
	}
	visit_type(target_return_type(t, p), 0);
}

#endif

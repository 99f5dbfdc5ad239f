/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which registers of the probed program a handler reads: the kit saves no more than these at a function's entry. */
#include <string.h>

#include "translator/probe/access.h"
#include "translator/probe/probe.h"

struct search {
	uint32_t mask;
	bool in_function;
};

static bool visit(struct node *n, void *data);

/* A function that calls others is not followed: it may read any. So may a function of the runtime that says so in its
 * body. */
static uint32_t function_registers(const struct function *f, bool follow)
{
	struct search inner = { .in_function = true };

	if (f->kit)
		return f->c_body && strstr(f->c_body, "/* registers */") ? UINT32_MAX : 0;
	if (!follow || !f->body)
		return UINT32_MAX;
	node_walk(f->body, visit, &inner);
	return inner.mask;
}

static bool visit(struct node *n, void *data)
{
	struct search *s = data;

	/* A register that is written must be restored from where it was saved. */
	if ((n->kind == ND_ASSIGN || n->kind == ND_INCDEC) && n->kid[0]->access)
		s->mask = UINT32_MAX;
	if (n->access && n->access->base == ACC_LOCATION)
		s->mask |= location_registers(&n->access->location);
	if (n->kind == ND_REGISTER)
		s->mask |= n->num >= 0 && n->num < 32 ? 1u << n->num : UINT32_MAX;
	if (n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR)
		s->mask = UINT32_MAX;
	if (n->kind == ND_CALL)
		for (const struct function *f = n->func; f; f = f->overload)
			s->mask |= function_registers(f, !s->in_function);
	return true;
}

uint32_t probe_registers(const struct probe *pr)
{
	struct search s = { 0 };

	node_walk(pr->body, visit, &s);
	return s.mask;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constructs that are parsed and checked, but not compiled yet. THE list: when gen learns a construct, it goes. */
#include "translator/probe/access.h"
#include "translator/sema/pass.h"

struct refusal {
	bool ok;
};

static void refuse(struct refusal *r, struct loc loc, const char *what)
{
	r->ok = error(loc, DIAG_UNSUPPORTED, "%s cannot be compiled by this version", what);
}

static bool is_target(const struct node *n)
{
	return n->kind == ND_TARGET || n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT ||
	       n->kind == ND_ADDRESS;
}

/* False below what was refused: one message for a whole expression. */
static bool visit(struct node *n, void *data)
{
	struct refusal *r = data;

	/* A value that its family found has an access, whatever it is written like. */
	if (n->access)
		return true;
	if (is_target(n)) {
		refuse(r, n->loc, "this value of the probed program");
		return false;
	}
	return true;
}

bool unsupported_check(struct program *p)
{
	struct refusal r = { .ok = true };
	struct probe *previous = NULL;

	for (struct function *f = p->functions; f; f = f->next) {
		if (!f->used)
			continue;
		if (f->body)
			node_visit(f->body, visit, &r);
	}
	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next) {
		if (!previous || previous->body != pr->body)
			node_visit(pr->body, visit, &r);
	}
	return r.ok;
}

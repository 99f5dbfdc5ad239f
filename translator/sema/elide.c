/* Drops branches that constants rule out, before types are inferred: SystemTap checks neither types nor variables of the
 * target there, and scripts of many versions rely on it. Names in them have been resolved. Code after `next` or `return`
 * stays until optimise.c.
 */
#include "translator/options.h"
#include "translator/sema/pass.h"

static bool is_constant(struct node **np, bool *ret)
{
	long long v;

	fold_tree(np);
	if (!fold_constant(*np, &v))
		return false;
	*ret = v != 0;
	return true;
}

static void elide(struct node **np, void *data)
{
	struct node *n = *np;
	bool yes;

	switch ((int)n->kind) {
	case ND_IF:
	case ND_COND:
	case ND_BINARY:
		if (node_is_choice(n) && is_constant(&n->kid[0], &yes)) {
			elide(node_decide(np, yes), NULL);
			return;
		}
		break;
	case ND_WHILE:
		if (is_constant(&n->kid[0], &yes) && !yes) {
			node_replace(np, node_new(ND_NULL_STMT, n->loc));
			return;
		}
		break;
	case ND_FOR:
		/* What comes before the loop stays. */
		if (n->kid[1] && is_constant(&n->kid[1], &yes) && !yes) {
			n->kid[2] = NULL;
			n->kid[3] = node_new(ND_NULL_STMT, n->loc);
		}
		break;
	}
	node_kids(n, elide, NULL);
}

void elide_program(struct program *p)
{
	struct probe *previous = NULL;

	for (struct probe *pr = p->probes; pr; previous = pr, pr = pr->next)
		if (!previous || previous->body != pr->body)
			elide(&pr->body, NULL);
	for (struct function *f = p->functions; f; f = f->next)
		if (f->resolved && f->body)
			elide(&f->body, NULL);
	find_uses(p);
	/* A list of functions wants those that nobody calls. */
	if (p->options && p->options->dump == DUMP_FUNCTIONS)
		return;
	for (struct function *f = p->functions; f; f = f->next)
		f->resolved &= f->used;
}

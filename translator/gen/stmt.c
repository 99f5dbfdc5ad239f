/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements. Each gives back the frame slots it took, so a loop needs no more than one turn of it.
 *
 * The action budget is counted where a body can run for long, once for the statements of a block that are run together: see counting.c.
 */
#include "translator/gen/parts.h"

/* An arm of a statement, which counts its own statements where it is counted. */
static void gen_arm(struct gen *g, struct node *n)
{
	if (g->u->counted && n->kind != ND_NULL_STMT)
		gen_line(g, "KT_ACTIONS(%d, %d);", count_statement(n), gen_place(g, n));
	if (n->kind == ND_BLOCK)
		gen_stmts(g, n->list);
	else
		gen_stmt(g, n);
}

static void gen_if(struct gen *g, const struct node *n)
{
	void (*arm)(struct gen *g, struct node *n) = g->u->arm ? g->u->arm : gen_arm;

	g->u->arm = NULL;
	gen_open(g, "if (%s) {", gen_cond(g, n->kid[0]));
	arm(g, n->kid[1]);
	if (n->kid[2]) {
		g->u->code.indent--;
		gen_open(g, "} else {");
		arm(g, n->kid[2]);
	}
	gen_close(g, "}");
}

/* while and for: STEP may be NULL. */
static void gen_loop(struct gen *g, const struct node *n, const struct node *cond, const struct node *step,
		     const struct node *body)
{
	int outer = g->u->loop, label = g->u->loop = g->u->n_labels++, mark = g->u->slots;
	bool continued = g->u->continued, counted = g->u->counted;

	g->u->continued = false;
	g->u->counted = true;
	gen_open(g, "for (;;) {");
	/* One for the turn, so that an empty loop ends as well. */
	gen_line(g, "KT_ACTIONS(%d, %d);", 1 + count_statement(body) + count_work(cond) + count_work(step), gen_place(g, n));
	if (cond) {
		gen_line(g, "if (!%s)", gen_cond(g, cond));
		gen_line(g, "\tbreak;");
		g->u->slots = mark;
	}
	gen_stmt(g, body);
	if (g->u->continued)
		gen_line(g, "kt_next_%d: __attribute__((unused));", label);
	if (step) {
		gen_effect(g, step);
		g->u->slots = mark;
	}
	gen_close(g, "}");
	g->u->loop = outer;
	g->u->continued = continued;
	g->u->counted = counted;
}

/* The handler is outside of the body's kt_fail, so what it raises goes further out. */
static void gen_try_catch(struct gen *g, const struct node *n)
{
	const char *failed = gen_try(g);

	gen_arm(g, n->kid[0]);
	gen_try_failed(g, failed);
	if (n->kid[2])
		gen_set_scalar(g, n->kid[2]->sym, "c->error");
	gen_line(g, "c->error = (const char *)0;");
	gen_arm(g, n->kid[1]);
	gen_close(g, "}");
}

static void gen_return(struct gen *g, const struct node *n)
{
	const struct function *f = g->u->func;

	if (n->kid[0] && f->type == TY_STRING)
		gen_line(g, "kt_strcpy(ret_, %s, KT_STR);", gen_expr(g, n->kid[0]).text);
	else if (n->kid[0] && f->type == TY_LONG)
		gen_line(g, "r_ = %s;", gen_expr(g, n->kid[0]).text);
	else if (n->kid[0])
		gen_effect(g, n->kid[0]);
	gen_line(g, "goto kt_leave;");
}

void gen_stmts(struct gen *g, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		gen_stmt(g, n);
		if (g->u->counted && n->next && count_may_leave(n))
			gen_line(g, "KT_ACTIONS(%d, %d);", count_statements(n->next), gen_place(g, n->next));
	}
}

void stmt_emit(struct gen *g, const struct node *n)
{
	int mark = g->u->slots;

	if (g->traced && n->kind != ND_BLOCK && n->kind != ND_NULL_STMT)
		gen_line(g, "kt_trace_statement(%d);", gen_place(g, n));
	switch (n->kind) {
	case ND_NULL_STMT:
		break;
	case ND_BLOCK:
		gen_stmts(g, n->list);
		break;
	case ND_IF:
		gen_if(g, n);
		break;
	case ND_WHILE:
		gen_loop(g, n, n->kid[0], NULL, n->kid[1]);
		break;
	case ND_FOR:
		if (n->kid[0])
			gen_effect(g, n->kid[0]);
		gen_loop(g, n, n->kid[1], n->kid[2], n->kid[3]);
		break;
	case ND_FOREACH: {
		bool counted = g->u->counted;

		g->u->counted = true;
		gen_foreach(g, n);
		g->u->counted = counted;
		break;
	}
	case ND_TRY:
		gen_try_catch(g, n);
		break;
	case ND_BREAK:
		gen_line(g, "break;");
		break;
	case ND_CONTINUE:
		g->u->continued = true;
		gen_line(g, "goto kt_next_%d;", g->u->loop);
		break;
	case ND_NEXT:
		gen_next(g);
		break;
	case ND_RETURN:
		gen_return(g, n);
		break;
	case ND_DELETE:
		gen_delete(g, n);
		break;
	case ND_EMBED:
		gen_embedded_stmt(g, n);
		break;
	case ND_EXPR:
		gen_effect(g, n->kid[0]);
		break;
	default:
		error(n->loc, DIAG_UNSUPPORTED, "'%s' cannot be compiled yet", node_kind_name(n->kind));
		g->failed = true;
	}
	g->u->slots = mark;
}

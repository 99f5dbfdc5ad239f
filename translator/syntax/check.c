/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a complete body beyond the grammar: where `return` and histograms may stand; and printf formats. */
#include "runtime/core/format.h"

#include <string.h>

#include "translator/syntax/actions.h"

/* A histogram is no value: it is printed, iterated or indexed. */
static void reject_hist(const struct node *n)
{
	if (!n || n->kind != ND_HIST)
		return;
	error(n->loc, DIAG_STAT, "a histogram is not a value");
	note(n->loc, "give it to print(), index it, or iterate it with foreach");
}

static bool may_hold_hist(const struct node *n)
{
	return n->kind == ND_INDEX || n->kind == ND_IN || n->kind == ND_FOREACH;
}

static bool prints_hist(const struct node *n)
{
	return n->kind == ND_PRINT && !n->list->next &&
	       (n->op == OP_PRINT || n->op == OP_PRINTLN || n->op == OP_SPRINT || n->op == OP_SPRINTLN);
}

static bool check_function_node(struct node *n, void *data)
{
	if (!may_hold_hist(n))
		reject_hist(n->kid[0]);
	for (int i = 1; i < 4; i++)
		reject_hist(n->kid[i]);
	if (n->list && !prints_hist(n)) {
		for (const struct node *k = n->list; k && n->kind != ND_BLOCK; k = k->next)
			reject_hist(k);
	}
	return true;
}

static bool check_probe_node(struct node *n, void *data)
{
	if (n->kind == ND_RETURN) {
		error(n->loc, DIAG_CONTROL_FLOW, "'return' outside a function");
		note(n->loc, "'next' leaves a probe");
	}
	return check_function_node(n, data);
}

void check_body(struct unit *u, struct node *body, bool in_function)
{
	node_walk(body, in_function ? check_function_node : check_probe_node, NULL);
}

static void bad_directive(struct loc loc, const char *s, size_t len)
{
	_cleanup_text_ struct text quoted = { 0 };

	text_quote(&quoted, s, len);
	error(loc, DIAG_FORMAT, "%s in a format is no conversion", text_str(&quoted));
	note(loc, "conversions are %%d %%i %%u %%o %%x %%X %%p %%c %%s %%b %%m %%M; a percent sign by itself is '%%%%'");
}

/* Syntax only: whether the arguments fit is a matter of types. */
void check_print_format(struct unit *u, const struct node *print)
{
	const char *p = print->text, *end = print->text + print->text_len;

	while ((p = memchr(p, '%', (size_t)(end - p)))) {
		struct kt_directive d;
		const char *next = kt_directive(p, &d);

		if (!d.conv) {
			bad_directive(print->loc, p, (size_t)(next - p));
			return;
		}
		p = next;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/sema/place-text.h"

static const char *token_of(const struct node *n, const char **ret_kind)
{
	*ret_kind = "identifier";
	if (n->op != OP_NONE && op_info[n->op].lexeme) {
		*ret_kind = n->kind == ND_PRINT ? "identifier" : "operator";
		return op_info[n->op].lexeme;
	}
	switch (n->kind) {
	case ND_INDEX:
		return n->kid[0]->name ? n->kid[0]->name : node_kind_name(n->kid[0]->kind);
	case ND_CALL: case ND_NAME: case ND_TARGET: case ND_ARROW:
		return n->name;
	case ND_WHILE: case ND_FOR: case ND_FOREACH: case ND_IF: case ND_TRY: case ND_BREAK: case ND_CONTINUE:
	case ND_NEXT: case ND_RETURN: case ND_DELETE:
		*ret_kind = "keyword";
		return node_kind_name(n->kind);
	default:
		*ret_kind = "operator";
		return node_kind_name(n->kind);
	}
}

const char *place_text(const struct node *n)
{
	const char *kind, *token = token_of(n, &kind);

	return arena_printf(&program_arena, "%s '%s' at %s:%d:%d", kind, token, n->loc.src->name, n->loc.line, n->loc.col);
}

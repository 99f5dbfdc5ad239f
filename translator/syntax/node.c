/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tree nodes: making, cloning and walking them, and what is known of each kind and operator. */
#include "translator/syntax/ast.h"

const struct op_info op_info[] = {
	[OP_NONE] = { "", 0, 0, 0, NULL },
#define OP(id, lexeme, level, operands, result, tmpl) \
	[OP_##id] = { lexeme, level, #operands[0], #result[0], tmpl },
#include "translator/syntax/ops.def"
#undef OP
};

static const char *const kind_names[] = {
#define NODE(kind, name, class, live) [ND_##kind] = name,
#include "translator/syntax/nodes.def"
#undef NODE
};

const char *node_kind_name(enum node_kind kind)
{
	return kind_names[kind];
}

struct node *node_new(enum node_kind kind, struct loc loc)
{
	struct node *n = arena_new(&program_arena, struct node);

	n->kind = kind;
	n->loc = loc;
	n->height = 1;
	return n;
}

struct loc node_start(const struct node *n)
{
	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT)
		n = n->kid[0];
	return n->loc;
}

struct node *node_number(struct loc loc, long long v)
{
	struct node *n = node_new(ND_NUM, loc);

	n->num = v;
	return n;
}

static struct node *clone_list(const struct node *list)
{
	struct node *first = NULL, **end = &first;

	for (; list; list = list->next) {
		*end = node_clone(list);
		end = &(*end)->next;
	}
	return first;
}

static struct foreach *clone_foreach(const struct foreach *f)
{
	struct foreach *copy = arena_new(&program_arena, struct foreach);

	*copy = *f;
	copy->value = f->value ? node_clone(f->value) : NULL;
	copy->keys = clone_list(f->keys);
	copy->slice = clone_list(f->slice);
	return copy;
}

struct node *node_own_call(const char *name, struct loc loc)
{
	struct node *n = node_new(ND_CALL, loc);

	n->name = intern(name);
	n->own = true;
	return n;
}

struct node *node_clone(const struct node *n)
{
	struct node *copy = arena_new(&program_arena, struct node);

	*copy = *n;
	copy->next = NULL;
	copy->type = TY_UNKNOWN;
	copy->sym = NULL;
	copy->func = NULL;
	copy->access = NULL;
	copy->points_to = NULL;
	for (int i = 0; i < 4; i++)
		copy->kid[i] = n->kid[i] ? node_clone(n->kid[i]) : NULL;
	copy->list = clone_list(n->list);
	copy->foreach = n->foreach ? clone_foreach(n->foreach) : NULL;
	return copy;
}

typedef bool walk_fn(struct node *n, void *data);

static void walk_list(struct node *list, walk_fn *fn, void *data)
{
	for (; list; list = list->next)
		node_walk(list, fn, data);
}

void node_walk(struct node *n, walk_fn *fn, void *data)
{
	if (!n || !fn(n, data))
		return;
	if (n->foreach) {
		node_walk(n->foreach->value, fn, data);
		walk_list(n->foreach->keys, fn, data);
		walk_list(n->foreach->slice, fn, data);
	}
	for (int i = 0; i < 4; i++)
		node_walk(n->kid[i], fn, data);
	walk_list(n->list, fn, data);
}

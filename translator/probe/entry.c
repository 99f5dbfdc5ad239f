/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the entry in return probes.
 *
 * A return probe that uses a parameter, or @entry, gets a helper: a probe without a row, whose handler runs at the entry
 * of the same call and saves the values in numbered slots. In the body of the return probe each such expression becomes a
 * read of its slot.
 */
#include "translator/probe/entry.h"

#include <string.h>


/* Bytes that a kretprobe keeps of a call (KRETPROBE_MAX_DATA_SIZE), without the bits of struct kt_saved and the pointer before it. */
enum { ROOM_MAX = (4096 - KT_ENTRY_SLOTS_MAX / 8) / 8 - 1 };

static struct node *call(const char *name, struct loc loc, int slot, struct node *value)
{
	struct node *n = node_own_call(name, loc);

	n->list = node_number(loc, slot);
	n->list->next = value;
	return n;
}

/* The statement that keeps VALUE. */
static struct node *save(struct loc loc, int slot, struct node *value)
{
	struct node *stmt = node_new(ND_EXPR, loc);

	stmt->kid[0] = call("__entry_save", loc, slot, value);
	return stmt;
}

/* NUMBER: the position of the string among the strings. */
static struct node *save_text(struct loc loc, int slot, int number, struct node *value)
{
	struct node *stmt = save(loc, slot, node_number(loc, number));

	stmt->kid[0]->name = intern("__entry_save_text");
	stmt->kid[0]->list->next->next = value;
	return stmt;
}

/* The helper of a return probe, made on first use. */
static void need_helper(struct probe *pr, struct entry_values *ev,
			void (*make)(const struct probe *pr, struct probe *helper))
{
	struct probe *helper;

	if (ev->helper)
		return;
	helper = arena_new(&program_arena, struct probe);
	*helper = *pr;
	helper->helper = true;
	helper->condition = NULL;
	make(pr, helper);
	helper->body = node_new(ND_BLOCK, pr->def->loc);
	helper->body->list = save(pr->def->loc, ev->slots++, node_number(pr->def->loc, 0));
	ev->room = ev->slots;
	helper->body->list->kid[0]->list->next->num = ev->slots;
	pr->next = helper;
	ev->helper = helper;
	ev->end = &helper->body->list->next;
}

/* Equal expressions have equal source, and one slot. Interned: compare pointers. */
static const char *source_of(const struct node *expr)
{
	_cleanup_text_ struct text t = {};

	ast_print_node(&t, expr);
	return intern(text_str(&t));
}

/* Allocates the values so far; the first slot holds the offset of the strings. */
static bool make_room(const struct program *p, struct entry_values *ev, struct loc loc)
{
	int64_t text_size = language_limit(&p->language, "MAXSTRINGLEN", 512);

	if (ev->slots > KT_ENTRY_SLOTS_MAX)
		return error(loc, DIAG_UNSUPPORTED, "more than %d values of the entry in one return probe",
			     KT_ENTRY_SLOTS_MAX - 1);
	if (ev->texts && ev->slots + ev->texts * ((text_size + 7) / 8) > ROOM_MAX) {
		error(loc, DIAG_UNSUPPORTED, "%d strings of the entry in one return probe are more than is kept of a call",
		      ev->texts);
		note(loc, "a smaller -D MAXSTRINGLEN makes room");
		return false;
	}
	ev->room = ev->slots + ev->texts * (int)((text_size + 7) / 8);
	ev->helper->body->list->kid[0]->list->next->num = ev->slots;
	return true;
}

/* EXPR is computed at the entry and kept: *np becomes the node that reads it back. A fault there is an error where it is read,
 * so each is saved in a `try` of its own. POINTS_TO: what the value is the address of, for a -> after it. */
static bool keep(struct program *p, struct entry_values *ev, struct node **np, const struct node *expr,
		 const struct ctype *points_to)
{
	const char *text = source_of(expr);
	struct loc loc = (*np)->loc;
	struct node *stmt, *value;
	bool is_text = (*np)->type == TY_STRING;
	int slot = 1, number = 0;

	for (; slot < ev->slots && ev->text[slot] != text; slot++)
		number += ev->is_text[slot];
	*np = call(is_text ? "__entry_text" : "__entry_value", loc, slot, is_text ? node_number(loc, number) : NULL);
	(*np)->points_to = points_to;
	if (slot < ev->slots)
		return true;
	ev->slots++;
	ev->texts += is_text;
	if (!make_room(p, ev, loc))
		return false;
	if (!ev->text) {
		ev->text = arena_array(&program_arena, const char *, KT_ENTRY_SLOTS_MAX);
		ev->is_text = arena_array(&program_arena, bool, KT_ENTRY_SLOTS_MAX);
	}
	ev->text[slot] = text;
	ev->is_text[slot] = is_text;
	value = node_clone(expr);
	value->next = NULL;
	stmt = node_new(ND_TRY, loc);
	stmt->kid[0] = node_new(ND_BLOCK, loc);
	stmt->kid[0]->list = is_text ? save_text(loc, slot, number, value) : save(loc, slot, value);
	stmt->kid[1] = node_new(ND_BLOCK, loc);
	*ev->end = stmt;
	ev->end = &stmt->next;
	return true;
}

/* The $variable that a chain of -> [] & begins with, NULL: it begins with something else. */
static const struct node *chain_root(const struct node *n)
{
	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS)
		n = n->kid[0];
	return n->kind == ND_TARGET ? n : NULL;
}

/* Is the chain N a variable that return probes keep from the entry? As in SystemTap that is every one that is named without a file or module,
 * but not $return. */
static bool is_kept(const struct node *n)
{
	while (n->kind == ND_ARROW || n->kind == ND_SUBSCRIPT || n->kind == ND_ADDRESS)
		n = n->kid[0];
	if (n->kind == ND_VAR)
		return !n->text2 && !n->kid[0] && !strchr(n->text, '@');
	return n->kind == ND_TARGET && strcmp(n->name, "$return") && strncmp(n->name, "$$", 2);
}

/* Returns the type that EXPR points at, at the entry; NULL: unknown. */
static const struct ctype *entry_points_to(struct program *p, const struct context_place *entry,
					   const struct node *expr)
{
	struct node *scratch = node_clone(expr);

	/* The parameters of a system call have no place that debugging information knows. */
	if (chain_root(expr) ? !entry->target : expr->kind != ND_CAST && expr->kind != ND_VAR)
		return NULL;
	return context_variable(p, entry, &scratch, true) ? context_points_to(scratch) : NULL;
}

bool entry_variable(struct program *p, struct probe *pr, struct entry_values *ev, const struct context_place *cp,
		    void (*make)(const struct probe *pr, struct probe *helper), struct node **np, bool asked)
{
	const struct node *root = chain_root(*np);
	bool returned = root && (!strcmp(root->name, "$return") || !strcmp(root->name, "$$return"));
	struct context_place entry = *cp;

	entry.at_return = false;
	if ((*np)->kind == ND_ENTRY) {
		struct node *n = *np, *expr = n->kid[0];

		if (!cp->at_return)
			return error(n->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
		if (!asked) {
			need_helper(pr, ev, make);
			return keep(p, ev, np, expr, entry_points_to(p, &entry, expr));
		}
		expr = node_clone(expr);
		return !chain_root(expr) || context_variable(p, &entry, &expr, true);
	}
	/* Written out first: the members that it prints are then values of the entry one by one. */
	if ((*np)->pretty)
		return context_variable(p, returned ? cp : &entry, np, asked);
	if (!cp->at_return || !is_kept(*np))
		return context_variable(p, cp, np, asked);
	/* A parameter is gone when the function returns: its value, and what it leads to, is that of the entry. */
	if (asked)
		return context_variable(p, &entry, np, true);
	need_helper(pr, ev, make);
	return keep(p, ev, np, *np, entry_points_to(p, &entry, *np));
}

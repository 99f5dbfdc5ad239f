/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enumerators: from a name to its number, and from a number to its name. */
#include "translator/probe/enums.h"

#include <string.h>


enum { NAMES_MAX = 4096 };

static struct target *target_of(struct program *p, struct target *t, const struct node *n)
{
	if (n->text2)
		return context_module(p, n->text2, n->loc);
	return t ? t : context_kernel(p);
}

bool enum_fold(struct program *p, const struct context_place *cp, struct node **np)
{
	struct node *n = *np, *number;
	struct nearest near = { .word = n->text };
	struct target *t;
	int64_t value;

	t = target_of(p, cp->target, n);
	if (!t)
		return false;
	if (!target_enumerator(t, t == cp->target ? cp->place : NULL, n->text, &value)) {
		error(n->loc, DIAG_TARGET_VAR, "no enumeration has a value named '%s'", n->text);
		target_enumerators(t, nearest_add_name, &near);
		if (nearest_get(&near))
			note(n->loc, "did you mean '%s'?", nearest_get(&near));
		else if (target_is_user(t) && !target_has_lines(t))
			target_note_install(t, n->loc);
		else
			note(n->loc, "a macro of the kernel is no enumerator: -g and @const(\"%s\") reach some of them",
			     n->text);
		return false;
	}
	context_need_module(p, t, t != cp->target);
	number = node_number(n->loc, value);
	number->next = n->next;
	*np = number;
	return true;
}

/* The enumeration that N names, or that its value is of. */
static const struct ctype *enum_type(struct program *p, struct target *t, const struct node *n, const struct ctype *kept)
{
	const struct access *a = n->kid[0]->access;
	const struct ctype *type;

	if (!n->text) {
		type = !a && !kept ? context_points_to(n->kid[0]) : a && (!a->address || a->said) ? a->type : kept;
		if (type && type->kind == CT_ENUM)
			return type;
		error(n->loc, DIAG_TARGET_TYPE, "@enumname needs to know the enumeration that the value is of");
		note(n->loc, "name it: @enumname(value, \"enum NAME\")");
		return NULL;
	}
	t = target_of(p, t, n);
	type = t ? target_type(t, n->text) : NULL;
	if (type && type->kind == CT_ENUM)
		return type;
	if (!t)
		return NULL;
	error(n->loc, DIAG_TARGET_TYPE, type ? "'%s' is no enumeration" : "no type '%s' in the debugging information",
	      n->text);
	if (target_is_user(t) && !target_has_lines(t))
		target_note_install(t, n->loc);
	return NULL;
}

static struct node *name_node(struct loc loc, const char *name)
{
	struct node *n = node_new(ND_STR, loc);

	n->text = arena_strdup(&program_arena, name);
	n->text_len = strlen(name);
	return n;
}

/* The names of the variants of an enum with data, whose discriminant is of TYPE. */
static void variant_names(struct node *n, const struct ctype *type)
{
	struct node **end = &n->list, *one;
	const char *name;
	int64_t value;
	bool other;

	for (int i = 0; i < NAMES_MAX && (name = ctype_variant(type, i, &other, &value)); i++) {
		one = name_node(n->loc, name);
		if (other) {
			n->kid[1] = one;
			continue;
		}
		one->num = value;
		*end = one;
		end = &one->next;
	}
}

bool enum_names(struct program *p, struct target *t, struct node *n, const struct ctype *type)
{
	struct node **end = &n->list;
	const char *name;
	int64_t value;

	type = enum_type(p, t, n, type);
	if (!type)
		return false;
	if (!diag_muted)
		context_need_module(p, type->target, type->target != t);
	variant_names(n, type);
	for (int i = 0; i < NAMES_MAX && (name = ctype_enumerator(type, i, &value)); i++) {
		const struct node *known = n->list;

		/* Of several names of one number the first is meant. */
		while (known && known->num != value)
			known = known->next;
		if (known)
			continue;
		*end = name_node(n->loc, name);
		(*end)->num = value;
		end = &(*end)->next;
	}
	return true;
}

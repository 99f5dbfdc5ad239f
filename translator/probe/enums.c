/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enumerators: from a name to its number, and from a number to its name. */
#include "translator/probe/enums.h"

#include <string.h>

#include "translator/probe/enumerators.h"

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

bool enum_names(struct program *p, struct target *t, struct node *n, const struct ctype *type)
{
	type = enum_type(p, t, n, type);
	if (!type)
		return false;
	enumerators_of(n, type);
	return true;
}

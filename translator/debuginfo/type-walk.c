/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that a walk went into, in a tree of addresses. */
#include "translator/debuginfo/type-walk.h"

#include <search.h>
#include <stdint.h>

#include "lib/diag.h"
#include "translator/debuginfo/reader.h"

enum { TYPES_DEEP_MAX = 64 }; /* the walk recurses */

static int compare(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

bool type_walk_enters(struct type_walk *w, const void *type, int depth)
{
	bool is_deep = depth > TYPES_DEEP_MAX;

	w->cut |= is_deep;
	return !is_deep && !tfind(type, &w->seen, compare) && tsearch(type, &w->seen, compare);
}

static void forget(void *type)
{
	(void)type; /* not ours */
}

void type_walk_end(struct type_walk *w, const struct ctype *ct)
{
	struct target *t = (struct target *)ct->target;

	tdestroy(w->seen, forget);
	if (w->cut && !t->is_deep)
		warning((struct loc){}, DIAG_TARGET_TYPE, "%s: members that lie more than %d structures deep, as in '%s', are left out",
			t->name, TYPES_DEEP_MAX, ct->name);
	t->is_deep |= w->cut;
}

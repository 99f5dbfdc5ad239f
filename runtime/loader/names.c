/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search tree of names. */
#include "runtime/loader/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

enum { NAMES_MAX = 1 << 17 };

struct name {
	kt_u64 address;
	enum kt_name_kind kind;
	char *text;
};

static int compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

static void name_free(void *name)
{
	free(((struct name *)name)->text);
	free(name);
}

void names_deinit(struct names *n)
{
	tdestroy(n->tree, name_free);
	*n = (struct names){ 0 };
}

void names_trim(struct names *n)
{
	if (n->n > NAMES_MAX)
		names_deinit(n);
}

static char *ask(struct control *c, kt_u64 address, enum kt_name_kind kind)
{
	struct kt_name_request name = { .address = address, .kind = kind };

	if (control_ask(c, KT_IOC_NAME, &name) < 0)
		return xasprintf("0x%llx", address);
	name.text[sizeof(name.text) - 1] = 0;
	return xstrdup(name.text);
}

/* Takes TEXT. */
static const char *insert(struct names *n, kt_u64 address, enum kt_name_kind kind, char *text)
{
	struct name *name = xmalloc(sizeof(*name));

	*name = (struct name){ address, kind, text };
	tsearch(name, &n->tree, compare);
	n->n++;
	return text;
}

const char *names_known(const struct names *n, kt_u64 address, enum kt_name_kind kind)
{
	const struct name wanted = { .address = address, .kind = kind };
	struct name **known = tfind(&wanted, &n->tree, compare);

	return known ? (*known)->text : NULL;
}

void names_add(struct names *n, kt_u64 address, enum kt_name_kind kind, const char *text, kt_u32 len)
{
	if (!names_known(n, address, kind))
		insert(n, address, kind, xasprintf("%.*s", (int)len, text));
}

const char *names_get(struct names *n, struct control *c, kt_u64 address, enum kt_name_kind kind)
{
	const char *known = names_known(n, address, kind);

	if (!known && c->names)
		known = names_known(c->names, address, kind);
	return known ? known : insert(n, address, kind, ask(c, address, kind));
}

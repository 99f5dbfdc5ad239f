/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table of names. Those of the kernel's image never change. */
#include "runtime/loader/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"

enum { SLOTS_FIRST = 256, NAMES_MAX = 1 << 17 };

struct name {
	kt_u64 address;
	kt_u32 kind; /* 0: the slot is free */
	char *text;
};

void names_deinit(struct names *n)
{
	for (kt_u32 i = 0; i < n->n_slots; i++)
		free(n->slot[i].text);
	free(n->slot);
	*n = (struct names){ 0 };
}

/* The slot of ADDRESS, or the free one where it belongs. */
static struct name *find(const struct names *n, kt_u64 address, kt_u32 kind)
{
	kt_u64 hash = (address ^ kind) * 0x9e3779b97f4a7c15ull;

	for (kt_u32 i = (kt_u32)(hash >> 32);; i++) {
		struct name *slot = &n->slot[i & (n->n_slots - 1)];

		if (!slot->kind || (slot->address == address && slot->kind == kind))
			return slot;
	}
}

/* Twice the room: at least half of the slots are free. */
static void grow(struct names *n)
{
	struct names old = *n;

	n->n_slots = old.n_slots ? 2 * old.n_slots : SLOTS_FIRST;
	n->slot = xmalloc(n->n_slots * sizeof(*n->slot));
	memset(n->slot, 0, n->n_slots * sizeof(*n->slot));
	for (kt_u32 i = 0; i < old.n_slots; i++)
		if (old.slot[i].kind)
			*find(n, old.slot[i].address, old.slot[i].kind) = old.slot[i];
	free(old.slot);
}

void names_trim(struct names *n)
{
	if (n->n > NAMES_MAX)
		names_deinit(n);
}

static char *ask(struct control *c, kt_u64 address, enum kt_name_kind kind)
{
	struct kt_name_request name = { .address = address, .kind = kind };

	if (c->sys->ioctl(c->fd, KT_IOC_NAME, &name) < 0)
		return xasprintf("0x%llx", address);
	name.text[sizeof(name.text) - 1] = 0;
	return xstrdup(name.text);
}

const char *names_get(struct names *n, struct control *c, kt_u64 address, enum kt_name_kind kind)
{
	struct name *slot;

	if (2 * n->n >= n->n_slots)
		grow(n);
	slot = find(n, address, kind);
	if (!slot->kind) {
		*slot = (struct name){ address, kind, ask(c, address, kind) };
		n->n++;
	}
	return slot->text;
}

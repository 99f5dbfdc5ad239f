/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of renamed functions. */
#include "translator/probe/renamed.h"

#include <stddef.h>
#include <string.h>

#define RENAMED(old, new) { old, new },

static const struct {
	const char *old, *new;
} renamed[] = {
#include "translator/probe/renamed.def"
};

const char *renamed_function(const char *old, bool (*has)(const char *name, void *data), void *data)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (!strcmp(renamed[i].old, old) && has(renamed[i].new, data))
			return renamed[i].new;
	return NULL;
}

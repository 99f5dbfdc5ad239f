/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of the language, and the machine. */
#include "translator/platform/settings.h"

#include <stdlib.h>
#include <string.h>

#include "translator/machine/machine.h"

const struct machine *platform_machine(const struct platform *p)
{
	return p->machine ? p->machine : machine_host();
}

int64_t language_limit(const struct language *l, const char *name, int64_t otherwise)
{
	size_t len = strlen(name);

	for (const char **d = l->defines; d && *d; d++) {
		if (strncmp(*d, name, len))
			continue;
		if (!(*d)[len])
			return 1;
		if ((*d)[len] == '=')
			otherwise = strtoll(*d + len + 1, NULL, 0);
	}
	return otherwise;
}

const char *language_version(const struct language *l)
{
	return l->compatible ? l->compatible : "5.6";
}

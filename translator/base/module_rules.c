/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/base/module_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"

/* Replaces the text of T with the file PATH below ROOT; false: it is unreadable. */
static bool read_below(struct text *t, const char *root, const char *path)
{
	_cleanup_free_ char *full = xasprintf("%s%s", root, path);

	text_clear(t);
	return text_read_file(t, full);
}

static bool is_on(struct text *t, const char *root, const char *path)
{
	return read_below(t, root, path) && (*text_str(t) == '1' || *text_str(t) == 'Y');
}

/* The word in brackets of "none [integrity] confidentiality". */
static char *level_of(const char *line)
{
	const char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;

	return to && strncmp(from, "[none]", 6) ? xasprintf("%.*s", (int)(to - from - 1), from + 1) : NULL;
}

/* The first user namespace maps all IDs to themselves. */
static bool is_first_namespace(const char *map)
{
	unsigned long inside, outside, n;

	return sscanf(map, "%lu %lu %lu", &inside, &outside, &n) == 3 && !inside && !outside && n == 0xffffffff;
}

void module_rules_read(struct module_rules *ret, const char *root)
{
	struct text t = { 0 };

	*ret = (struct module_rules){
		.disabled = is_on(&t, root, "/proc/sys/kernel/modules_disabled"),
		.sig_enforce = is_on(&t, root, "/sys/module/module/parameters/sig_enforce"),
	};
	if (read_below(&t, root, "/sys/kernel/security/lockdown"))
		ret->lockdown = level_of(text_str(&t));
	ret->in_namespace = read_below(&t, root, "/proc/self/uid_map") && !is_first_namespace(text_str(&t));
	text_deinit(&t);
}

void module_rules_deinit(struct module_rules *rules)
{
	free(rules->lockdown);
}

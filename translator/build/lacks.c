/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that do not export functions of a probe family, as with CONFIG_TRIM_UNUSED_KSYMS.
 *
 * modpost lists the functions. Those that only some families need get stand-ins that return -EOPNOTSUPP, in missing.c of the
 * kit's directory, so that the kit builds for the other families. A script that needs one of the functions is refused.
 */
#include "translator/build/build.h"

#include <errno.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/needs.h"
#include "translator/probe/probe.h"

bool lacks_supply(const char *dir, const struct text *out)
{
	_cleanup_free_ char *path = xasprintf("%s/" LACKS_FILE, dir);
	struct text c = { 0 };
	bool ok = true, any = false;

	/* modpost: ERROR: modpost: "NAME" [FILE] undefined! */
	for (const char *p = strstr(text_str(out), "modpost: \""); p && ok; p = strstr(p, "modpost: \"")) {
		const char *name = p += strlen("modpost: \"");
		size_t len = strcspn(name, "\"\n");

		if (strncmp(name + len, "\" [", 3))
			continue;
		ok = need_of_symbol(name, len);
		any = true;
		text_printf(&c, "long %.*s(void);\nlong %.*s(void)\n{\n\treturn -%d;\n}\n", (int)len, name, (int)len, name, EOPNOTSUPP);
	}
	ok = ok && any && !text_write_file(&c, path);
	text_deinit(&c);
	return ok;
}

static bool refuse(const struct probe *pr, const char *symbol, const char *option, const struct kernel *k)
{
	error(pr->def->loc, DIAG_NO_FEATURE, "kernel %s does not export '%s', which '%s' needs", k->release, symbol, pr->pp);
	note((struct loc){ 0 }, "it was built without CONFIG_%s, or with CONFIG_TRIM_UNUSED_KSYMS; probes of other families work",
	     option);
	return false;
}

bool lacks_check(const struct program *p, const struct kit *kit)
{
	_cleanup_free_ char *path = xasprintf("%s/" LACKS_FILE, kit->dir);
	struct text t = { 0 };
	bool ok = true;

	if (!text_read_file(&t, path))
		return true;
	for (const char *s = text_str(&t); ok && (s = strstr(s, "long ")); s++) {
		const char *symbol = arena_strndup(&program_arena, s + 5, strcspn(s + 5, "("));
		const struct need *n = need_of_symbol(symbol, strlen(symbol));

		for (const struct probe *pr = p->probes; ok && n && pr; pr = pr->next)
			if (n->families & 1u << pr->family->id)
				ok = refuse(pr, symbol, n->option, kit->kernel);
	}
	text_deinit(&t);
	return ok;
}

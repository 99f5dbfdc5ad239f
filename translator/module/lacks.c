/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that do not export functions that the kit imports, as with CONFIG_TRIM_UNUSED_KSYMS.
 *
 * Functions that only some families need get stand-ins that return -EOPNOTSUPP, in missing.c of the kit's directory, so that the kit
 * builds for the other families. A script that needs one of them is refused. If every script needs one, the kit does not build; the
 * file "imports" then has what such a kernel must export. modpost names at most ten undefined symbols, so the module is read instead.
 */
#include "translator/module/build.h"

#include <errno.h>
#include <string.h>

#include "lib/arena.h"
#include "translator/platform/needs.h"
#include "translator/probe/probe.h"

/* The names in IMPORTS that K does not export, NULL at the end. NULL: Module.symvers cannot be read. */
static const char **not_exported(const struct kernel *k, const char **imports)
{
	_cleanup_free_ char *symvers = xasprintf("%s/Module.symvers", k->build_dir);
	_cleanup_text_ struct text table = { 0 };
	const char **ret = imports;
	size_t n = 0;

	if (!text_read_file(&table, symvers))
		return NULL;
	for (const char **i = imports; *i; i++)
		if (!versions_find(text_str(&table), *i))
			ret[n++] = *i;
	ret[n] = NULL;
	return ret;
}

/* Symbols that the module in DIR imports and K does not export, NULL at the end. NULL: not known. */
static const char **lacking(const struct kernel *k, const char *dir)
{
	_cleanup_free_ char *module = xasprintf("%s/" KIT_NAME ".o", dir);
	const char **imports = module_imports(module);

	return imports ? not_exported(k, imports) : NULL;
}

bool lacks_supply(const struct kernel *k, const char *dir)
{
	_cleanup_free_ char *path = xasprintf("%s/" LACKS_FILE, dir);
	const char **names = lacking(k, dir);
	_cleanup_text_ struct text c = { 0 };
	bool ok = names && *names;

	for (; ok && *names; names++) {
		ok = need_of_symbol(*names, strlen(*names));
		text_printf(&c, "long %s(void);\nlong %s(void)\n{\n\treturn -%d;\n}\n", *names, *names, EOPNOTSUPP);
	}
	return ok && !text_write_file(&c, path);
}

bool lacks_explain(const struct kernel *k, const char *dir)
{
	_cleanup_free_ char *module = xasprintf("%s/" KIT_NAME ".o", dir), *path = xasprintf("%s/imports", dir);
	const char **names = lacking(k, dir), **imports = module_imports(module);
	_cleanup_text_ struct text list = { 0 }, file = { 0 };
	int n = 0;

	if (!names || !*names || !imports)
		return false;
	for (; names[n]; n++)
		text_printf(&list, "%s%s", n ? ", " : "", names[n]);
	for (; *imports; imports++)
		text_printf(&file, "%s\n", *imports);
	note((struct loc){ 0 }, "the kernel does not export %d functions or variables that scripts need: %s", n, text_str(&list));
	if (!text_write_file(&file, path))
		note((struct loc){ 0 }, "build it without CONFIG_TRIM_UNUSED_KSYMS, or with CONFIG_UNUSED_KSYMS_WHITELIST=\"%s\", which "
		     "lists all that ktap imports", path);
	return true;
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
	_cleanup_text_ struct text t = { 0 };
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
	return ok;
}

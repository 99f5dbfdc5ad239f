/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Versions of kernel symbols that embedded C uses and the kit does not, as modpost would write them: the kernel compares the checksum of
 * each symbol that a module imports. Module.symvers of the build tree has them, a line each:
 *
 *	0xCHECKSUM<tab>SYMBOL<tab>MODULE<tab>EXPORT_SYMBOL...<tab>NAMESPACE
 */
#include "translator/module/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

/* struct modversion_info has 64 bytes on every 64-bit kernel. */
enum { NAME_MAX_BYTES = 64 - 8 };

struct export {
	const char *checksum;
	const char *namespace; /* "" for most */
};

const char *versions_find(const char *table, const char *symbol)
{
	_cleanup_free_ char *field = xasprintf("\t%s\t", symbol);

	return strstr(table, field);
}

/* Looks SYMBOL up in TABLE, the text of Module.symvers. */
static bool find_export(const char *table, const char *symbol, struct export *ret)
{
	const char *at = versions_find(table, symbol), *line = at, *end;

	if (!at)
		return false;
	while (line > table && line[-1] != '\n')
		line--;
	ret->checksum = arena_strndup(&program_arena, line, (size_t)(at - line));
	at += strlen(symbol) + 2; /* its tabs */
	end = at + strcspn(at, "\n");
	for (int i = 0; i < 2 && at < end; i++) /* module, kind of export */
		at += strcspn(at, "\t\n") + 1;
	ret->namespace = at < end ? arena_strndup(&program_arena, at, strcspn(at, "\t\n")) : "";
	return true;
}

static enum versions_result refuse(const struct kernel *k, const char *symbol)
{
	error((struct loc){ 0 }, DIAG_BUILD, "embedded C: kernel %s does not export '%s' to modules", k->release, symbol);
	note((struct loc){ 0 }, "%s/Module.symvers lists what it exports", k->build_dir);
	return VERSIONS_REFUSED;
}

static enum versions_result write_table(struct text *c, const struct kernel *k, const char *table, const char *const *symbols,
					struct text *out)
{
	for (; *symbols; symbols++) {
		struct export e;

		if (!find_export(table, *symbols, &e))
			return refuse(k, *symbols);
		if (*e.namespace || strlen(*symbols) >= NAME_MAX_BYTES) {
			text_printf(out, "'%s' needs modpost\n", *symbols);
			return VERSIONS_UNKNOWN;
		}
		text_printf(c, "\t{ %s, \"%s\" },\n", e.checksum, *symbols);
	}
	return VERSIONS_WRITTEN;
}

enum versions_result versions_write(const char *path, const struct kernel *k, const char *const *symbols,
				    enum module_versions kind, struct text *out)
{
	_cleanup_free_ char *symvers = xasprintf("%s/Module.symvers", k->build_dir);
	_cleanup_text_ struct text table = { 0 }, c = { 0 };
	enum versions_result result = VERSIONS_UNKNOWN;

	if (kind == VERSIONS_EXTENDED)
		text_puts(out, "this kernel has symbol versions of the extended form\n");
	else if (!text_read_file(&table, symvers))
		text_printf(out, "%s: %s\n", symvers, strerror(errno));
	else {
		text_printf(&c, "static const struct { unsigned long checksum; char name[%d]; } kt_versions[]\n"
			    "__attribute__((used, section(\"%s\"), aligned(8))) = {\n", NAME_MAX_BYTES,
			    kind == VERSIONS_BASIC ? "__versions" : ".discard.versions");
		result = write_table(&c, k, text_str(&table), symbols, out);
		text_puts(&c, "};\n");
	}
	if (result == VERSIONS_WRITTEN && text_write_file(&c, path)) {
		text_printf(out, "%s: %s\n", path, strerror(errno));
		result = VERSIONS_UNKNOWN;
	}
	return result;
}

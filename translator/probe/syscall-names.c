/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of a system call's arguments in the kernel's own prototypes: include/linux/syscalls.h of the headers that modules
 * for that kernel are built with. Scripts that were written for the functions behind the calls use those names.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/probe/syscall-names.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The text after the parenthesis of sys_NAME's prototype, NULL: there is none. */
static const char *find_prototype(const char *header, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = header; (at = strstr(at, "sys_")); at++) {
		if (at > header && is_word(at[-1]))
			continue;
		if (!strncmp(at + 4, name, len) && at[4 + len] == '(')
			return at + 4 + len + 1;
	}
	return NULL;
}

int syscall_kernel_argument(const struct kernel *k, const char *call, const char *name)
{
	_cleanup_text_ struct text header = { 0 };
	const char *at, *end, *path;
	size_t len = strlen(name);
	int n = 0;

	if (!k || !k->build_dir)
		return 0;
	/* Some distributions keep the headers that all flavours share in a directory beside it. */
	path = arena_printf(&program_arena, "%s/include/linux/syscalls.h", k->build_dir);
	if (!text_read_file(&header, path)) {
		path = arena_printf(&program_arena, "/lib/modules/%s/source/include/linux/syscalls.h", k->release);
		if (!text_read_file(&header, path))
			return 0;
	}
	at = find_prototype(text_str(&header), call);
	for (int i = 1; at && *at != ')' && !n; i++) {
		end = at + strcspn(at, ",)");
		/* The last word before the comma; of "void", or where only the type stands, it is no name that is asked for. */
		while (end > at && !is_word(end[-1]))
			end--;
		if (end - at > (ptrdiff_t)len && !strncmp(end - len, name, len) && !is_word(end[-len - 1]))
			n = i;
		at += strcspn(at, ",)");
		at += *at == ',';
	}
	return n;
}

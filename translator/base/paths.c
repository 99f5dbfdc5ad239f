/* Finds the program's own files: installed, or in the source tree beside a build folder. */
#include "translator/base/paths.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/arena.h"

/* The program is one that was built here and not installed. */
static bool runs_from_build_dir(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t len = strlen(KTAP_BUILDDIR);

	if (n <= 0)
		return false;
	self[n] = 0;
	return !strncmp(self, KTAP_BUILDDIR, len) && self[len] == '/';
}

const char *data_path(const char *name)
{
	char *variable = arena_printf(&program_arena, "KTAP_%s", name);
	const char *value;

	for (char *p = variable; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	value = getenv(variable);
	if (value && *value)
		return arena_strdup(&program_arena, value);
	return arena_printf(&program_arena, "%s/%s", runs_from_build_dir() ? KTAP_SRCDIR : KTAP_DATADIR, name);
}

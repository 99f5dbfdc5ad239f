/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap merge`: ktaprun formats records, so it reads the files of -b. */
#include "cli/commands.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"

int merge_run(int argc, char **argv)
{
	const char **words = arena_array(&program_arena, const char *, (size_t)argc + 3);

	if (!argc)
		return command_misused("ktap merge needs the files of a session with -b");
	words[0] = own_file("ktaprun", KTAP_SBINDIR);
	words[1] = "--merge";
	memcpy(words + 2, argv, (size_t)argc * sizeof(*words));
	words[argc + 2] = NULL;
	execv(words[0], (char *const *)words);
	error(nowhere, DIAG_RUN, "cannot start %s: %s", words[0], strerror(errno));
	return 1;
}

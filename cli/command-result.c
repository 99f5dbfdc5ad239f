/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses of commands: wrong use, and output that could not be written. */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"

int command_misused(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error((struct loc){}, DIAG_USAGE, "%s", arena_vprintf(&program_arena, fmt, ap));
	va_end(ap);
	return 1;
}

int command_written(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	error((struct loc){}, DIAG_IO, "cannot write standard output: %s", strerror(errno));
	return 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands: `ktap NAME ...` for a NAME in the table below. A command reads no script, no rc file and no options of scripts. */
#include "translator/commands.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/base/diag.h"
#include "translator/doctor.h"

static const struct loc nowhere;

static const struct command_row {
	const char *name;
	int (*run)(int argc, char **argv); /* the arguments after the name; returns the exit status */
} commands[] = {
	{ "doctor", doctor_run },
	{ "explain", explain_run },
	{ "examples", examples_run },
	{ "fmt", fmt_run },
	{ "help", help_run },
};

/* A script of the user's wins over a command that came later. */
static bool is_script(const char *name)
{
	struct stat st;

	if (stat(name, &st) || !S_ISREG(st.st_mode))
		return false;
	warning(nowhere, DIAG_USAGE, "'%s' is the script in this directory, not the command 'ktap %s'", name, name);
	note(nowhere, "run the command from another directory");
	return true;
}

bool command_run(int argc, char **argv, int *ret_status)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (argc > 1 && !strcmp(argv[1], commands[i].name) && !is_script(argv[1])) {
			*ret_status = commands[i].run(argc - 2, argv + 2);
			return true;
		}
	return false;
}

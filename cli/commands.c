/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands: `ktap NAME ...` for a NAME in the table below. A command reads no script, no rc file and no options of scripts. */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/complete.h"
#include "cli/doctor.h"
#include "lib/diag.h"
#include "lib/trust.h"

static const struct command_row {
	const char *name;
	int (*run)(int argc, char **argv); /* the arguments after the name; returns the exit status */
	const char *help; /* NULL: not for people */
} commands[] = {
	{ "complete", complete_run, NULL },
	{ "doctor", doctor_run, "what this machine lacks" },
	{ "explain", explain_run, "the cause of a message with a tag" },
	{ "examples", examples_run, "scripts to run" },
	{ "fmt", fmt_run, "format scripts" },
	{ "help", help_run, "places, functions, the language" },
	{ "merge", merge_run, "print what the files of -b hold" },
	{ "report", report_run, "an HTML page of one run or of two" },
	{ "symbolize", symbolize_run, "functions and lines of addresses" },
};

void command_words(word_fn *fn, void *data)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].help)
			fn(commands[i].name, commands[i].help, data);
	/* options.c takes these. */
	fn("plan", "what a script would probe", data);
	fn("resolve", "where a probe point is, and its variables", data);
}

static bool is_file(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISREG(st.st_mode);
}

/* Returns NULL if nobody but root and this user can change the file NAME, else the reason not to run it. Users type the names of
 * commands, and mistype them, in directories where others can put a file of that name. */
static const char *distrust(const char *name)
{
	const char *why;
	int fd = trust_open(name, &why);

	if (fd < 0)
		return why;
	close(fd);
	return NULL;
}

/* A script of the user's wins over a command that came later, but not over the one that the shells' completion runs. */
static bool is_script(const struct command_row *c)
{
	const char *why;

	if (!c->help || !is_file(c->name))
		return false;
	why = distrust(c->name);
	if (why) {
		warning(nowhere, DIAG_UNTRUSTED, "the script '%s' in this directory is not run: %s", c->name, why);
		return false;
	}
	warning(nowhere, DIAG_USAGE, "'%s' is the script in this directory, not the command 'ktap %s'", c->name, c->name);
	note(nowhere, "run the command from another directory");
	return true;
}

bool command_run(int argc, char **argv, bool scripts, int *ret_status)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (argc > 1 && !strcmp(argv[1], commands[i].name) && !(scripts && is_script(&commands[i]))) {
			*ret_status = commands[i].run(argc - 2, argv + 2);
			return true;
		}
	return false;
}

static bool is_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(name, commands[i].name))
			return true;
	return !strcmp(name, "plan") || !strcmp(name, "resolve");
}

/* Returns true unless NAME may be a mistyped command and its file is one that another user can change. */
static bool may_run(const char *name)
{
	const char *why = strpbrk(name, "./") ? NULL : distrust(name);

	if (!why)
		return true;
	error(nowhere, DIAG_UNTRUSTED, "the script '%s' in this directory is not run: %s", name, why);
	note(nowhere, "to run it anyway, write: ktap ./%s", name);
	return false;
}

bool command_find_script(const char *name)
{
	if (!strcmp(name, "-"))
		return true;
	if (!access(name, F_OK))
		return may_run(name);
	if (is_command(name)) {
		error(nowhere, DIAG_USAGE, "the command '%s' must be the first word", name);
		note(nowhere, "write: ktap %s", name);
		return false;
	}
	error(nowhere, DIAG_IO, "cannot open '%s': %s", name, strerror(errno));
	if (strpbrk(name, "./ "))
		note(nowhere, "a script given as text needs -e");
	else
		note(nowhere, "ktap -l '%s' lists places of that name, ktap examples %s scripts; a script given as text needs -e", name, name);
	return false;
}

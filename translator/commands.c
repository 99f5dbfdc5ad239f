/* Commands: `ktap NAME ...` for a NAME in the table below. A command reads no script, no rc file and no options of scripts. */
#include "translator/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/doctor.h"

static const struct loc nowhere;

/* Sections of ktap-errors(7). */
static const struct explanation {
	const char *tag, *summary, *text;
} explanations[] = {
#include "translator/explain-texts.h"
};

enum { N_EXPLANATIONS = sizeof(explanations) / sizeof(explanations[0]) };

int command_misused(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error(nowhere, DIAG_USAGE, "%s", arena_vprintf(&program_arena, fmt, ap));
	va_end(ap);
	return 1;
}

int command_written(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	error(nowhere, DIAG_IO, "cannot write standard output: %s", strerror(errno));
	return 1;
}

/* The tag in WORD, which may be written as messages print it: "[no-match]". */
static const char *tag_of(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && word[0] == '[' && word[len - 1] == ']' ? arena_strndup(&program_arena, word + 1, len - 2) : word;
}

static int list_tags(void)
{
	for (int i = 0; i < N_EXPLANATIONS; i++)
		printf("%-16s %s\n", explanations[i].tag, explanations[i].summary);
	return command_written();
}

static int explain(const char *tag)
{
	struct nearest near = { .word = tag };

	for (int i = 0; i < N_EXPLANATIONS; i++) {
		const struct explanation *e = &explanations[i];

		if (!strcmp(e->tag, tag)) {
			printf("[%s] %s\n\n%s", e->tag, e->summary, e->text);
			return command_written();
		}
		nearest_add(&near, e->tag);
	}
	command_misused("no message has the tag '%s'", tag);
	if (nearest_get(&near))
		note(nowhere, "did you mean '%s'?", nearest_get(&near));
	note(nowhere, "'ktap explain' lists the tags");
	return 1;
}

static int explain_run(int argc, char **argv)
{
	if (argc > 1)
		return command_misused("explain takes one tag, as messages have it in brackets at their end");
	return argc ? explain(tag_of(argv[0])) : list_tags();
}

static const struct command_row {
	const char *name;
	int (*run)(int argc, char **argv); /* the arguments after the name; returns the exit status */
} commands[] = {
	{ "doctor", doctor_run },
	{ "explain", explain_run },
	{ "examples", examples_run },
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

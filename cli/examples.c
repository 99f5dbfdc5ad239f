/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap examples`: the headers of the installed examples, searched and printed as a table. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/text.h"

struct example {
	const char *name;    /* without .stp */
	const char *subject; /* from the header, or "" */
	const char *shows;
	const char *text;    /* header and script */
};

/* The value of the header line "# KEY:   value" in TEXT, or "". */
static const char *header_line(const char *text, const char *key)
{
	const char *at = strstr(text, arena_printf(&program_arena, "\n# %s:", key));

	if (!at)
		return "";
	at = strchr(at, ':') + 1;
	at += strspn(at, " \t");
	return arena_strndup(&program_arena, at, strcspn(at, "\n"));
}

static int is_example(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return e->d_name[0] != '.' && dot && !strcmp(dot, ".stp");
}

static bool read_example(const char *dir, const char *file, struct example *ret)
{
	_cleanup_text_ struct text t = { 0 };
	const char *tests;
	bool ok = text_read_file(&t, arena_printf(&program_arena, "%s/%s", dir, file));

	ret->name = arena_strndup(&program_arena, file, strlen(file) - 4);
	/* The tests' expectations are not part of the example. */
	tests = strstr(text_str(&t), "\n//!");
	ret->text = arena_strndup(&program_arena, text_str(&t), tests ? (size_t)(tests - text_str(&t)) : t.len);
	ret->subject = header_line(ret->text, "Subject");
	ret->shows = header_line(ret->text, "Shows");
	return ok || error(nowhere, DIAG_IO, "cannot read '%s/%s': %s", dir, file, strerror(errno));
}

/* Reads all examples of DIR, sorted by name. -1: reported. */
static int read_examples(const char *dir, struct example **ret)
{
	_cleanup_free_ struct dirent **list = NULL;
	int n = scandir(dir, &list, is_example, alphasort);
	bool ok = n >= 0;

	if (!ok) {
		error(nowhere, DIAG_IO, "cannot read the examples in '%s': %s", dir, strerror(errno));
		note(nowhere, "'make install' puts them there; KTAP_EXAMPLES names another directory");
	}
	*ret = arena_array(&program_arena, struct example, (size_t)(ok ? n : 0) + 1);
	for (int i = 0; i < n; i++) {
		ok = ok && read_example(dir, list[i]->d_name, &(*ret)[i]);
		free(list[i]);
	}
	return ok ? n : -1;
}

/* Does E have all N WORDS, in its name, subject and description, or ANYWHERE? */
static bool has_words(const struct example *e, char **words, int n, bool anywhere)
{
	const char *head = arena_printf(&program_arena, "%s %s %s", e->name, e->subject, e->shows);

	for (int i = 0; i < n; i++)
		if (!strcasestr(anywhere ? e->text : head, words[i]))
			return false;
	return true;
}

/* Prints those of the N examples in LIST that have the words. Returns how many. */
static int print_matches(const struct example *list, int n, char **words, int n_words, bool anywhere)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		if (!has_words(&list[i], words, n_words, anywhere))
			continue;
		printf("%-22s %-17s %s\n", list[i].name, list[i].subject, list[i].shows);
		found++;
	}
	return found;
}

int examples_run(int argc, char **argv)
{
	const char *dir = data_path("examples");
	struct example *list;
	int n = read_examples(dir, &list);

	if (n < 0)
		return 1;
	/* Scripts that only use a word are worth reading when none is about it. */
	if (!print_matches(list, n, argv, argc, false) && !print_matches(list, n, argv, argc, true)) {
		command_misused("no example has '%s'%s", argc ? argv[0] : "", argc > 1 ? " and the other words" : "");
		note(nowhere, "'ktap examples' lists all %d", n);
		return 1;
	}
	printf("\nRun one with: ktap %s/NAME.stp\n", dir);
	return command_written();
}

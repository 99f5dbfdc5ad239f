/* SPDX-License-Identifier: GPL-2.0-or-later */
/* $SYSTEMTAP_DIR/rc, else ~/.systemtap/rc: SystemTap's users have options there that all their command lines rely on. Its lines
 * are words as a shell splits them, with variables and wildcards, without commands.
 */
#include "cli/rcfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "lib/trust.h"

static const char *rc_path(void)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");

	if (dir && *dir)
		return arena_printf(&program_arena, "%s/rc", dir);
	return home && *home ? arena_printf(&program_arena, "%s/.systemtap/rc", home) : NULL;
}

static bool bad_line(const char *path, int line, int rc)
{
	const char *why = rc == WRDE_SYNTAX ? "a quote is not closed" : rc == WRDE_BADVAL ? "a variable is not set" :
		rc == WRDE_NOSPACE ? "out of memory" : rc == WRDE_CMDSUB ? "commands are not run" : "a character like | & ; < > ( ) { } wants quotes";

	error((struct loc){ 0 }, DIAG_USAGE, "%s:%d: %s", path, line, why);
	note((struct loc){ 0 }, "options of every run are read from there; see ENVIRONMENT in ktap(1)");
	return false;
}

/* Adds the words of LINE to LIST, which has N. */
static int add_words(char *line, char ***list, size_t *n)
{
	wordexp_t words = { 0 };
	int rc = wordexp(line, &words, WRDE_NOCMD | WRDE_UNDEF);

	if (rc)
		return rc;
	*list = xrealloc(*list, (*n + words.we_wordc + 1) * sizeof(**list));
	for (size_t i = 0; i < words.we_wordc; i++)
		(*list)[(*n)++] = arena_strdup(&program_arena, words.we_wordv[i]);
	wordfree(&words);
	return 0;
}

bool rc_file_add(int *argc, char ***argv, int *ret_n)
{
	const char *path = rc_path(), *why;
	struct text text = { 0 };
	char **list = NULL, **all, *save = NULL;
	size_t n = 0;
	int number = 0, rc = 0, fd;

	*ret_n = 0;
	if (!path || access(path, F_OK))
		return true;
	fd = trust_open(path, &why);
	if (fd < 0) {
		warning((struct loc){ 0 }, DIAG_UNTRUSTED, "the options in '%s' are not used: %s", path, why);
		return true;
	}
	rc = text_read_fd(&text, fd);
	close(fd);
	if (rc)
		return error((struct loc){ 0 }, DIAG_IO, "cannot read '%s': %s", path, strerror(-rc));
	/* Line by line: empty ones count, so no strtok(). */
	for (char *line = text.buf; line && *line && !rc; line = save) {
		save = strchr(line, '\n');
		if (save)
			*save++ = 0;
		number++;
		if (line[strspn(line, " \t")] != '#')
			rc = add_words(line, &list, &n);
	}
	text_deinit(&text);
	if (rc) {
		free(list);
		return bad_line(path, number, rc);
	}
	all = arena_array(&program_arena, char *, (size_t)*argc + n + 1);
	all[0] = (*argv)[0];
	if (n)
		memcpy(all + 1, list, n * sizeof(*all));
	memcpy(all + 1 + n, *argv + 1, (size_t)(*argc - 1) * sizeof(*all));
	free(list);
	*argv = all;
	*argc += (int)n;
	*ret_n = (int)n;
	return true;
}

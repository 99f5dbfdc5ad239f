/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap complete LINE`, which the shells' completion calls: they know how to ask and to show, all the words are here. */
#include "cli/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "cli/commands.h"
#include "cli/edit/parsed.h"
#include "cli/edit/points.h"
#include "cli/options.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

/* ---- the line ---- */

void line_words_split(struct line_words *w, const char *line)
{
	_cleanup_text_ struct text t = { 0 };
	bool inside = false;
	char quote = 0;

	for (const char *s = line; *s; s++) {
		if (!quote && isspace((unsigned char)*s)) {
			if (inside)
				*vec_add(w->v, w->n) = xstrdup(text_str(&t));
			text_clear(&t);
			inside = false;
			continue;
		}
		inside = true;
		if (*s == quote)
			quote = 0;
		else if (!quote && (*s == '\'' || *s == '"'))
			quote = *s;
		else if (*s == '\\' && quote != '\'' && s[1])
			text_append(&t, ++s, 1);
		else
			text_append(&t, s, 1);
	}
	*vec_add(w->v, w->n) = xstrdup(text_str(&t));
}

void line_words_deinit(struct line_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct line_words){ 0 };
}

/* ---- candidates ---- */

/* The word that is completed; what is offered begins with PREFIX and goes on in the place of WORD. */
struct completion {
	const char *word;   /* what stands after PREFIX: "us" */
	const char *prefix; /* "--runtime=" or "" */
};

/* A name with control characters is not offered: the shells show names as they are, and read one name a line. */
static void offer(const char *word, const char *help, void *data)
{
	const struct completion *c = data;

	if (strncmp(word, c->word, strlen(c->word)) || text_has_control(word))
		return;
	printf("%s%s", c->prefix, word);
	if (help)
		printf("\t%s", help);
	putchar('\n');
}

static void offer_point(const char *point, void *data)
{
	offer(point, NULL, data);
}

/* The alternatives of "kernel|user". */
static void offer_values(const struct completion *c, const char *values)
{
	for (size_t len; *values; values += len + (values[len] == '|')) {
		len = strcspn(values, "|");
		if (islower((unsigned char)*values))
			offer(arena_strndup(&program_arena, values, len), NULL, (void *)c);
	}
}

static bool any_release(const char *release)
{
	return kernel_modules_dir(release);
}

static void offer_machines(const struct completion *c)
{
	const struct machine *m;

	for (unsigned i = 0; (m = machine_at(i)); i++)
		offer(m->script, NULL, (void *)c);
}

static void offer_releases(const struct completion *c)
{
	char *list = arena_strdup(&program_arena, kernel_releases(any_release)), *save;

	for (char *r = strtok_r(list, ", ", &save); r; r = strtok_r(NULL, ", ", &save))
		offer(r, NULL, (void *)c);
}

static bool has_suffix(const char *name, const char *suffixes)
{
	const char *dot = strrchr(name, '.');

	return !*suffixes || (dot && dot[1] && strstr(suffixes, dot));
}

/* Files with one of SUFFIXES, any when there is none, and directories. */
static void offer_files(const struct completion *c, const char *suffixes, bool files)
{
	const char *slash = strrchr(c->word, '/');
	size_t dir_len = slash ? (size_t)(slash + 1 - c->word) : 0;
	const char *dir = arena_strndup(&program_arena, c->word, dir_len);
	_cleanup_free_ struct dirent **list = NULL;
	int n = scandir(dir_len ? dir : ".", &list, NULL, alphasort);
	struct stat st;

	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(&program_arena, "%s%s", dir, list[i]->d_name);
		bool hidden = list[i]->d_name[0] == '.' && (!slash || slash[1] != '.') && c->word[dir_len] != '.';

		if (!hidden && strcmp(list[i]->d_name, ".") && strcmp(list[i]->d_name, "..") && !stat(path, &st)) {
			if (S_ISDIR(st.st_mode))
				offer(arena_printf(&program_arena, "%s/", path), NULL, (void *)c);
			else if (files && has_suffix(path, suffixes))
				offer(path, NULL, (void *)c);
		}
		free(list[i]);
	}
}

static void offer_points(const struct completion *c)
{
	struct reports reports = { .take = diag_ignore };
	struct program p = { .session.last_pass = 2, .reports = &reports };
	struct utsname running;

	p.output.list = "";
	uname(&running);
	machine_set_target(NULL);
	p.platform.release = getenv("KTAP_RELEASE");
	if (!p.platform.release || !*p.platform.release)
		p.platform.release = kernel_default(running.release); /* without one there are the forms and the aliases */
	if (parsed_begin(&p))
		points_complete(&p, c->word, offer_point, (void *)c);
}

/* ---- what is asked for ---- */

/* ARGUMENT: of the option, without brackets. */
static void offer_argument(const struct completion *c, const char *argument)
{
	if (islower((unsigned char)*argument))
		offer_values(c, argument);
	else if (!strncmp(argument, "RELEASE", 7))
		offer_releases(c);
	else if (!strcmp(argument, "DIR"))
		offer_files(c, "", false);
	else if (!strcmp(argument, "FILE") || !strcmp(argument, "OBJECT") || !strncmp(argument, "KEY", 3))
		offer_files(c, "", true);
	else if (!strcmp(argument, "POINT"))
		offer_points(c);
	else if (!strcmp(argument, "ARCH"))
		offer_machines(c);
	else if (!strcmp(argument, "PASS"))
		for (const char *pass = "1234"; *pass; pass++)
			offer(arena_strndup(&program_arena, pass, 1), NULL, (void *)c);
	else if (!strcmp(argument, "NAME[=VALUE]"))
		define_words(offer, (void *)c);
}

/* --name=VALUE in one word. */
static void offer_after_sign(struct completion *c, const char *argument)
{
	const char *value = strchr(c->word, '=') + 1;

	c->prefix = arena_strndup(&program_arena, c->word, (size_t)(value - c->word));
	c->word = value;
	if (*argument == '[')
		argument = arena_strndup(&program_arena, argument + 2, strcspn(argument + 2, "]"));
	offer_argument(c, argument);
}

/* The words of a command that is not a script. False: COMMAND is not one. */
static bool offer_for_command(struct completion *c, const char *command)
{
	if (!strcmp(command, "explain"))
		explain_words(offer, c);
	else if (!strcmp(command, "help"))
		help_words(offer, c);
	else if (!strcmp(command, "doctor"))
		offer("--json", "for programs", c);
	else if (!strcmp(command, "fmt")) {
		offer("--check", "write nothing", c);
		offer_files(c, ".stpm", true);
	} else if (!strcmp(command, "report")) {
		offer("-o", "file to write", c);
		offer_files(c, ".json", true);
	} else if (!strcmp(command, "symbolize")) {
		offer("-r", "release of the kernel", c);
		offer("-m", "module of the kernel", c);
		offer("-x", "program", c);
		offer("--json", "for programs", c);
	} else
		return !strcmp(command, "examples");
	return true;
}

static void complete_word(const struct line_words *w)
{
	struct completion c = { w->v[w->n - 1], "" };
	const char *before = w->n > 2 ? w->v[w->n - 2] : "";
	const char *argument = before[0] == '-' && strcmp(before, "-") && !strchr(before, '=') ? option_argument(before) : NULL;

	if (argument && *argument != '[') {
		offer_argument(&c, argument);
		return;
	}
	if (c.word[0] == '-' && c.word[1] == '-' && strchr(c.word, '=')) {
		argument = option_argument(c.word);
		if (argument)
			offer_after_sign(&c, argument);
		return;
	}
	if (w->n > 2 && offer_for_command(&c, w->v[1]))
		return;
	if (c.word[0] == '-') {
		option_words(offer, &c);
		return;
	}
	if (w->n == 2)
		command_words(offer, &c);
	offer_files(&c, ".stp", true);
}

int complete_run(int argc, char **argv)
{
	struct line_words w = { 0 };

	if (argc != 1)
		return command_misused("complete takes one line; the shells' completion calls it");
	line_words_split(&w, argv[0]);
	puts(w.v[w.n - 1]);
	complete_word(&w);
	line_words_deinit(&w);
	return command_written();
}

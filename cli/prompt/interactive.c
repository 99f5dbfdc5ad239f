/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap -i: reads lines until the end. A line is a command, or a part of a declaration. */
#include "cli/prompt/interactive.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"

char **interactive_words(const struct interactive *s, const char *const *names, const char *const *tail, int *ret_n)
{
	size_t n = 0, max = 2 + (size_t)s->opt->n_words + s->options.n;
	char **v;

	for (const char *const *w = names; *w; w++)
		max++;
	for (const char *const *w = tail; *w; w++)
		max++;
	v = xmalloc(max * sizeof(*v));
	v[n++] = s->opt->called_as;
	while (*names)
		v[n++] = (char *)*names++;
	for (int i = 0; i < s->opt->n_words; i++)
		v[n++] = s->opt->words[i];
	for (size_t i = 0; i < s->options.n; i++)
		v[n++] = s->options.v[i];
	while (*tail)
		v[n++] = (char *)*tail++;
	v[n] = NULL;
	*ret_n = (int)n;
	return v;
}

const char *const interactive_keywords[] = { "probe", "global", "function", "private", NULL };

bool interactive_options(const struct interactive *s, struct options *ret)
{
	int n, status;
	char **argv = interactive_words(s, (const char *const[]){ NULL }, (const char *const[]){ "-e", "probe begin {}", NULL }, &n);

	optind = 0;
	return options_parse(n, argv, s->opt->limits, ret, &status);
}

/* Takes the pending text, which is complete or ends here. */
static bool take_pending(struct interactive *s)
{
	struct text t = s->pending;
	bool ok;

	s->pending = (struct text){ 0 };
	while (t.len && (t.buf[t.len - 1] == '\n' || t.buf[t.len - 1] == ' '))
		t.buf[--t.len] = 0;
	ok = script_add(s, text_str(&t));
	text_deinit(&t);
	return ok;
}

/* Does the line begin with a letter, and not as a declaration does? */
static bool is_unknown(const char *line)
{
	size_t len = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	for (const char *const *k = interactive_keywords; *k; k++)
		if (strlen(*k) == len && !memcmp(line, *k, len))
			return false;
	return !strchr("@%/#;", *line);
}

static void nearest_word(const char *word, const char *help, void *nearest)
{
	nearest_add(nearest, word);
}

static bool unknown(const char *line)
{
	const char *word = arena_strndup(&program_arena, line, strcspn(line, " \t({"));
	struct nearest near = { .word = word };

	interactive_command_words(nearest_word, &near);
	for (const char *const *k = (const char *const[]){ "probe", "global", "function", NULL }; *k; k++)
		nearest_add(&near, *k);
	error(nowhere, DIAG_USAGE, "'%s' is neither a command nor the beginning of a declaration", word);
	if (nearest_get(&near))
		note(nowhere, "did you mean '%s'?", nearest_get(&near));
	note(nowhere, "'help' lists the commands; probe, global and function begin declarations");
	return false;
}

static bool take_line(struct interactive *s, const char *line)
{
	const char *start = line + strspn(line, " \t");
	bool ok = true;

	if (s->pending.len) {
		text_printf(&s->pending, "%s\n", line);
	} else if (!*start) {
		return true;
	} else if (interactive_command(s, start, &ok)) {
		if (!s->pending.len) /* add */
			return ok;
	} else if (is_unknown(start)) {
		return unknown(start);
	} else {
		text_printf(&s->pending, "%s\n", line);
	}
	return !script_is_complete(text_str(&s->pending)) || take_pending(s);
}

/* A script that is in no file is kept. */
static void keep_script(const struct interactive *s)
{
	const char *dir = s->changed && s->script.len ? state_path() : NULL;
	const char *path = dir ? arena_printf(&program_arena, "%s/last.stp", dir) : NULL;

	if (path && !text_write_file(&s->script, path))
		printf("The script is kept in %s.\n", path);
}

/* A session that reads a pipe does not know who looks at it: its exit status says whether something failed. */
static int end(struct interactive *s, bool failed)
{
	if (s->prompt.on_terminal)
		keep_script(s);
	prompt_close(&s->prompt);
	text_deinit(&s->script);
	text_deinit(&s->before);
	text_deinit(&s->draft);
	text_deinit(&s->pending);
	line_words_deinit(&s->options);
	free(s->file);
	return failed && !s->prompt.on_terminal;
}

static bool refuse(const char *what)
{
	error(nowhere, DIAG_USAGE, "-i cannot go with %s", what);
	note(nowhere, "-i reads a script line by line and runs it when it is told to; 'ktap -i FILE.stp' begins with a file");
	return false;
}

static bool check(const struct options *opt)
{
	if (opt->script_text && !opt->list)
		return refuse("-e");
	if (opt->list || opt->dump || opt->plan)
		return refuse("listings");
	if (opt->prepare)
		return refuse("--prepare");
	if (opt->bundle || opt->clean_cache || opt->language_server || opt->vm_exec)
		return refuse(opt->bundle ? "--bundle" : opt->clean_cache ? "--clean-cache" : opt->vm_exec ? "--vm-exec" : "--language-server");
	if (opt->script_file && !strcmp(opt->script_file, "-"))
		return refuse("a script on standard input");
	return true;
}

int interactive_run(const struct options *opt, start_fn *start)
{
	struct interactive s = { .opt = opt, .start = start };
	_cleanup_text_ struct text line = { 0 };
	bool failed = false, ok = true;

	if (!check(opt))
		return 1;
	prompt_open(&s.prompt, interactive_complete, &s);
	if (s.prompt.on_terminal)
		puts("ktap " PACKAGE_VERSION ". Type probes, then 'run'. 'help' lists the commands.");
	if (opt->script_file)
		interactive_command(&s, arena_printf(&program_arena, "load %s", opt->script_file), &ok);
	failed = !ok;
	while (!s.ended) {
		enum prompt_result got = prompt_read(&s.prompt, s.pending.len ? "    > " : "ktap> ", &line);

		if (got == PROMPT_CANCELLED) {
			text_clear(&s.pending);
			continue;
		}
		if (got == PROMPT_END) {
			ok = !s.pending.len || take_pending(&s);
			s.ended = !s.prompt.on_terminal || ok;
		} else if (memchr(text_str(&line), 0, line.len)) {
			ok = error(nowhere, DIAG_USAGE, "the line has a byte 0");
		} else {
			while (line.len && line.buf[line.len - 1] == '\r')
				line.buf[--line.len] = 0;
			ok = take_line(&s, text_str(&line));
		}
		failed |= !ok;
		diag_end_pass(NULL);
		diag_forget(NULL); /* the next line is judged by its own errors */
		fflush(stdout);
	}
	return end(&s, failed);
}

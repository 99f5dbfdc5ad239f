/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion at the prompt of -i: commands and their arguments as the shells have them, the script as an editor has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/edit/child.h"
#include "cli/edit/suggest-words.h"
#include "cli/prompt/interactive.h"
#include "cli/run.h"
#include "config.h"
#include "lib/arena.h"
#include "translator/syntax/ast.h"

struct completion {
	const struct interactive *session;
	const char *line;
	FILE *out;
	size_t typed;
};

static void offer(const char *word, const char *help, void *completion)
{
	const struct completion *c = completion;

	if (!strncmp(word, c->line, c->typed))
		fprintf(c->out, "%s\t%s\n", word, help ? help : "");
}

/* The first word of a line. */
static void complete_first(struct completion *c)
{
	fprintf(c->out, "%s\n", c->line);
	interactive_command_words(offer, c);
	for (const char *const *k = interactive_keywords; *k; k++)
		offer(*k, NULL, c);
}

/* The beginning of a shell's line that takes what the command takes; NULL: the line is not of such a command. */
static const char *shell_line(const char *line)
{
	static const struct {
		const char *command, *shell;
	} rows[] = {
		{ "load ", "ktap " }, { "save ", "ktap " }, { "set ", "ktap " }, { "-l ", "ktap -l " }, { "-L ", "ktap -L " },
		{ "help ", "ktap help " }, { "explain ", "ktap explain " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(line, rows[i].command, strlen(rows[i].command)))
			return arena_printf(&program_arena, "%s%s", rows[i].shell, line + strlen(rows[i].command));
	return NULL;
}

/* complete_run() prints. */
static void complete_shell(struct completion *c, const char *line)
{
	dup2(fileno(c->out), STDOUT_FILENO);
	complete_run(1, (char *[]){ (char *)line, NULL });
	fflush(stdout);
}

/* The kernel whose names are offered is that of a run. */
static void complete_script(const struct completion *c)
{
	const struct interactive *s = c->session;
	struct program p = { 0 };
	struct options opt;

	if (!interactive_options(s, &opt))
		return;
	opt.language_server = true;
	opt.last_pass = 2;
	run_choose_kernel(&opt);
	options_apply(&opt, &p);
	diag_forget(NULL);
	suggest_words(&p, arena_printf(&program_arena, "%s%s%s", text_str(&s->script), text_str(&s->pending), c->line), c->out);
}

static void write_choices(void *completion, FILE *out)
{
	struct completion *c = completion;
	const char *shell = c->session->pending.len ? NULL : shell_line(c->line);

	c->out = out;
	c->typed = strlen(c->line);
	if (shell)
		complete_shell(c, shell);
	else if (!c->session->pending.len && !strpbrk(c->line, " \t("))
		complete_first(c);
	else
		complete_script(c);
}

void interactive_complete(void *session, const char *line, struct text *ret)
{
	struct completion c = { .session = session, .line = line + strspn(line, " \t") };

	if (!strncmp(c.line, "add ", 4))
		c.line += 4;
	child_ask(write_choices, &c, true, CHILD_ANSWER_MS, ret);
}

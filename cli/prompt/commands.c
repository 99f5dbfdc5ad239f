/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of ktap -i. What compiles or runs the script is a child, which does what ktap would do with these words. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "cli/commands.h"
#include "cli/edit/child.h"
#include "cli/prompt/interactive.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/rewrite.h"
#include "lib/vec.h"

/* ---- children ---- */
/* In the child: what a pipe has are lines of the session. */
static void become_ktap(const struct interactive *s, int argc, char **argv)
{
	int null = s->prompt.on_terminal ? -1 : open("/dev/null", O_RDONLY);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	exit(s->start(s->opt->limits, argc, argv));
}

/* Waits for CHILD, and passes the other SIGNALS on to it. They are blocked. Returns its status as waitpid() does. */
static int wait_for(pid_t child, const sigset_t *signals)
{
	int status = 0, number;

	for (;;) {
		number = sigwaitinfo(signals, NULL);
		if (number == SIGCHLD && waitpid(child, &status, WNOHANG))
			return status;
		if (number > 0 && number != SIGCHLD)
			kill(child, number);
	}
}

/* Runs ktap with ARGV. Ctrl-C and Ctrl-\ are for it alone; other requests to end reach it, too. Returns its exit status. */
static int run_ktap(const struct interactive *s, int argc, char **argv)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction interrupt, quit;
	sigset_t all, passed, waiting, mask;
	int status = 0;
	pid_t child;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	sigaction(SIGINT, &ignored, &interrupt);
	sigaction(SIGQUIT, &ignored, &quit);
	fflush(NULL);
	child = fork();
	if (!child) {
		sigaction(SIGINT, &interrupt, NULL);
		sigaction(SIGQUIT, &quit, NULL);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		become_ktap(s, argc, argv);
	}
	sigemptyset(&passed);
	sigaddset(&passed, SIGTERM);
	sigaddset(&passed, SIGHUP);
	sigaddset(&passed, SIGCHLD);
	sigorset(&waiting, &mask, &passed);
	sigprocmask(SIG_SETMASK, &waiting, NULL);
	if (child < 0)
		error(nowhere, DIAG_RUN, "cannot start the run: %s", strerror(errno));
	else
		status = wait_for(child, &passed);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (child > 0 && WIFSIGNALED(status))
		printf("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
	prompt_restore(&s->prompt);
	return child < 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool run_with(const struct interactive *s, const char *const *names, const char *const *tail)
{
	int argc;
	_cleanup_free_ char **argv = interactive_words(s, names, tail, &argc);

	return !run_ktap(s, argc, argv);
}

/* The session's script after NAMES, with the words of REST as its arguments. */
static bool run_script(const struct interactive *s, const char *const *names, const char *rest)
{
	struct line_words args = { 0 };
	const char **tail;
	size_t n = 0;
	bool ok;

	if (!s->script.len) {
		error(nowhere, DIAG_USAGE, "there is no script yet");
		note(nowhere, "type a probe, or load a file: probe begin { println(\"hello\") exit() }");
		return false;
	}
	line_words_split(&args, rest);
	tail = xmalloc((args.n + 4) * sizeof(*tail));
	tail[n++] = "-e";
	tail[n++] = text_str(&s->script);
	tail[n++] = "--";
	for (size_t i = 0; i < args.n; i++)
		if (*args.v[i])
			tail[n++] = args.v[i];
	tail[n] = NULL;
	ok = run_with(s, names, tail);
	free(tail);
	line_words_deinit(&args);
	return ok;
}

static bool run(struct interactive *s, const char *rest)
{
	return run_script(s, (const char *const[]){ NULL }, rest);
}

static bool plan(struct interactive *s, const char *rest)
{
	return run_script(s, (const char *const[]){ "plan", NULL }, rest);
}

static bool list_with(const struct interactive *s, const char *option, const char *rest)
{
	return run_with(s, (const char *const[]){ NULL }, (const char *const[]){ option, rest, NULL });
}

static bool list_points(struct interactive *s, const char *rest)
{
	return list_with(s, "-l", rest);
}

static bool list_variables(struct interactive *s, const char *rest)
{
	return list_with(s, "-L", rest);
}

/* `ktap NAME REST`: explain, examples. Options of scripts are not for them. */
static bool run_command(const struct interactive *s, const char *name, const char *rest)
{
	struct line_words words = { 0 };
	char *argv[8] = { s->opt->called_as, (char *)name };
	int argc = 2;

	line_words_split(&words, rest);
	for (size_t i = 0; i < words.n && argc < 7; i++)
		if (*words.v[i])
			argv[argc++] = words.v[i];
	argc = run_ktap(s, argc, argv);
	line_words_deinit(&words);
	return !argc;
}

static bool explain(struct interactive *s, const char *rest)
{
	return run_command(s, "explain", rest);
}

/* ---- the script ---- */
static bool add(struct interactive *s, const char *rest)
{
	text_printf(&s->pending, "%s\n", rest);
	return true;
}

static bool list(struct interactive *s, const char *rest)
{
	const char *line = text_str(&s->script);

	for (int n = 1; *line; n++) {
		int len = (int)strcspn(line, "\n");

		printf("%4d  %.*s\n", n, len, line);
		line += len + (line[len] == '\n');
	}
	return true;
}

/* A line, or two with a hyphen between them; none: all of it. */
static bool delete(struct interactive *s, const char *rest)
{
	char *end;
	long first, last;

	if (!*rest)
		return script_change(s, "");
	first = last = strtol(rest, &end, 10);
	if (*end == '-' && end > rest)
		last = strtol(end + 1, &end, 10);
	if (end > rest && !*end && first > 0 && last >= first)
		return script_delete(s, first, last);
	error(nowhere, DIAG_USAGE, "delete takes a line, or the first and the last one, as in 3-8; not '%s'", rest);
	note(nowhere, "'list' prints the script with the numbers of its lines; 'delete' alone deletes all of it");
	return false;
}

static bool undo(struct interactive *s, const char *rest)
{
	struct text t = s->script;

	s->script = s->before;
	s->before = t;
	s->changed = true;
	return list(s, "");
}

/* Makes the text that was read the script, or keeps it for `edit`. */
static bool take_text(struct interactive *s, struct text *t)
{
	bool ok;

	if (t->len && t->buf[t->len - 1] != '\n')
		text_puts(t, "\n");
	ok = script_change(s, text_str(t));
	text_deinit(&s->draft);
	if (ok) {
		text_deinit(t);
	} else {
		s->draft = *t;
		note(nowhere, "the script is as before; 'edit' shows the text that was not accepted");
	}
	*t = (struct text){ 0 };
	return ok;
}

static bool edit(struct interactive *s, const char *rest)
{
	const char *editor = getenv("VISUAL"), *dir = getenv("TMPDIR");
	_cleanup_free_ char *path = xasprintf("%s/ktap-XXXXXX.stp", dir && *dir ? dir : "/tmp");
	const struct text *from = s->draft.len ? &s->draft : &s->script;
	int fd = mkstemps(path, 4), status = 1;
	_cleanup_text_ struct text t = { 0 };
	bool ok = false;

	if (!editor || !*editor)
		editor = getenv("EDITOR");
	if (fd < 0 || write_all(fd, text_str(from), from->len)) {
		error(nowhere, DIAG_IO, "cannot write '%s': %s", path, strerror(errno));
	} else {
		const char *line = arena_printf(&program_arena, "%s \"$1\"", editor && *editor ? editor : "vi");

		status = proc_run(&(struct proc){ .argv = (const char *const[]){ "sh", "-c", line, "sh", path, NULL } });
		prompt_restore(&s->prompt);
		if (status)
			error(nowhere, DIAG_RUN, "the editor '%s' ended with status %d: the script is as before", editor ? editor : "vi", status);
		else if (!text_read_file(&t, path))
			error(nowhere, DIAG_IO, "cannot read '%s': %s", path, strerror(errno));
		else if (memchr(text_str(&t), 0, t.len))
			error(nowhere, DIAG_USAGE, "the text has a byte 0: the script is as before");
		else
			ok = take_text(s, &t);
	}
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return ok;
}

/* ---- files ---- */
static bool load_file(struct interactive *s, const char *path)
{
	_cleanup_text_ struct text t = { 0 };
	struct stat st;
	bool is_dir = !stat(path, &st) && S_ISDIR(st.st_mode);

	if (is_dir || !text_read_file(&t, path)) {
		error(nowhere, DIAG_IO, "cannot read '%s': %s", path, is_dir ? "it is a directory" : strerror(errno));
		note(nowhere, "'load' takes a file, 'sample' an example");
	} else if (memchr(text_str(&t), 0, t.len)) {
		error(nowhere, DIAG_USAGE, "'%s' has a byte 0: it is not a script", path);
	} else if (take_text(s, &t)) {
		return true;
	}
	return false;
}

static void set_file(struct interactive *s, const char *path)
{
	char *file = xstrdup(path);

	free(s->file);
	s->file = file;
	s->changed = false;
}

static bool load(struct interactive *s, const char *rest)
{
	if (!load_file(s, rest))
		return false;
	set_file(s, rest);
	return true;
}

/* With a name: loads that example. */
static bool sample(struct interactive *s, const char *rest)
{
	const char *path = arena_printf(&program_arena, "%s/%s.stp", data_path("examples"), rest);

	if (!*rest || strchr(rest, '/') || access(path, R_OK))
		return run_command(s, "examples", rest);
	return load_file(s, path) && list(s, "");
}

static bool save(struct interactive *s, const char *rest)
{
	bool own = !*rest || (s->file && !strcmp(rest, s->file));
	const char *path = own ? s->file : rest;
	int err;

	if (!path)
		return error(nowhere, DIAG_USAGE, "save needs a file");
	err = !own && !access(path, F_OK) ? -EEXIST : rewrite_path(&s->script, path);
	if (err) {
		error(nowhere, DIAG_IO, "cannot write '%s': %s", path, strerror(-err));
		if (err == -EEXIST)
			note(nowhere, "choose another name; 'save' alone writes the file that was loaded or saved before");
		return false;
	}
	set_file(s, path);
	return true;
}

/* ---- options ---- */
/* In a child, as an option may set limits. */
static void write_options_verdict(void *session, FILE *out)
{
	struct options opt;

	if (interactive_options(session, &opt) && opt.script_text && !opt.n_args && !opt.list && !opt.dump)
		fputs("ok", out);
	else if (!diag_errors(NULL))
		error(nowhere, DIAG_USAGE, "set takes options of ktap that a run can have");
}

static bool show_options(const struct interactive *s)
{
	int argc;
	_cleanup_free_ char **argv = interactive_words(s, (const char *const[]){ NULL }, (const char *const[]){ NULL }, &argc);
	const char *blank = "";

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-i") || !strcmp(argv[i], "--interactive"))
			continue;
		printf("%s%s", blank, argv[i]);
		blank = " ";
	}
	putchar('\n');
	return true;
}

/* Adds options for the runs to come. */
static bool set(struct interactive *s, const char *rest)
{
	struct line_words words = { 0 };
	_cleanup_text_ struct text t = { 0 };
	size_t before = s->options.n;
	bool ok;

	if (!*rest)
		return show_options(s);
	line_words_split(&words, rest);
	for (size_t i = 0; i < words.n; i++)
		*vec_add(s->options.v, s->options.n) = xstrdup(words.v[i]);
	line_words_deinit(&words);
	ok = child_ask(write_options_verdict, s, false, CHILD_FOREVER, &t) && t.len;
	while (!ok && s->options.n > before)
		free(s->options.v[--s->options.n]);
	return ok;
}

static bool unset(struct interactive *s, const char *rest)
{
	line_words_deinit(&s->options);
	return show_options(s);
}

/* ---- the table ---- */
static bool help(struct interactive *s, const char *rest);

static bool quit(struct interactive *s, const char *rest)
{
	s->ended = true;
	return true;
}

static const struct command_row {
	const char *name;
	const char *argument; /* "": none; in brackets: may be left out */
	bool (*run)(struct interactive *s, const char *rest);
	const char *help;     /* NULL: another name of a command */
} commands[] = {
	{ "run", "[ARGUMENT...]", run, "compile and run the script; Ctrl-C ends the run" },
	{ "list", "", list, "print the script" },
	{ "delete", "[LINE[-LINE]]", delete, "delete the declarations on these lines, or all" },
	{ "undo", "", undo, "take the last change back" },
	{ "edit", "", edit, "edit the script with $VISUAL or $EDITOR" },
	{ "add", "TEXT", add, "add a declaration; 'add' may be left out" },
	{ "load", "FILE", load, "make a file the script" },
	{ "save", "[FILE]", save, "write the script to a file" },
	{ "sample", "[NAME]", sample, "make an example the script, or list examples" },
	{ "set", "[OPTION...]", set, "add options of ktap to the runs, or print them" },
	{ "show", "", set, NULL },
	{ "unset", "", unset, "take the options of 'set' back" },
	{ "plan", "[ARGUMENT...]", plan, "print what the script would probe, and how" },
	{ "-l", "POINT", list_points, "list the probe points that POINT matches" },
	{ "-L", "POINT", list_variables, "list probe points with their variables" },
	{ "explain", "[TAG]", explain, "explain a message with this tag" },
	{ "help", "[SUBJECT]", help, "list the commands; or probes, functions, language" },
	{ "quit", "", quit, "end ktap" },
	{ "exit", "", quit, NULL },
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static bool help(struct interactive *s, const char *rest)
{
	if (*rest)
		return run_command(s, "help", rest);
	for (int i = 0; i < N_COMMANDS; i++)
		if (commands[i].help)
			printf("  %-8s%-16s %s\n", commands[i].name, commands[i].argument, commands[i].help);
	puts("What begins with probe, global, function, private or @define is added to the script. Tab completes.");
	return true;
}

void interactive_command_words(word_fn *fn, void *data)
{
	for (int i = 0; i < N_COMMANDS; i++)
		fn(commands[i].name, commands[i].help, data);
}

bool interactive_command(struct interactive *s, const char *line, bool *ret_ok)
{
	size_t len = strcspn(line, " \t");

	for (int i = 0; i < N_COMMANDS; i++) {
		const struct command_row *c = &commands[i];
		char *rest;
		size_t n;

		if (strlen(c->name) != len || memcmp(line, c->name, len))
			continue;
		rest = xstrdup(line + len + strspn(line + len, " \t"));
		n = strlen(rest);
		while (n && (rest[n - 1] == ' ' || rest[n - 1] == '\t'))
			rest[--n] = 0;
		if ((!*c->argument && *rest) || (*c->argument && *c->argument != '[' && !*rest)) {
			*ret_ok = error(nowhere, DIAG_USAGE, *rest ? "'%s' takes no argument" : "'%s' needs an argument: %s", c->name, c->argument);
			note(nowhere, "'help' lists the commands");
		} else {
			*ret_ok = c->run(s, rest);
		}
		free(rest);
		return true;
	}
	return false;
}

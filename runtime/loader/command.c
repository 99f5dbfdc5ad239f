/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the command of -c: directly where its syntax is that of one command, with quotes, wildcards and variables, so that
 * target() is the program itself; else through the shell.
 */
#include "runtime/loader/command.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/limits.h"
#include "lib/paths.h"
#include "lib/trust.h"

/* Any value will do for python3. HelperSDT/__main__.py knows this one. */
#define SAFE_PATH_OF_KTAP "ktap"

enum { END_TRIES = 100, END_WAIT_US = 10000 };

/* Whether a word of LINE is something to the shell that it is not to wordexp(3): a builtin, an assignment in front, a
 * comment, a parameter without a name.
 */
static bool wants_shell(const char *line)
{
	/* what the shell alone can run; true, echo and their kind exist as programs too */
	static const char *const builtins[] = {
		"exit", "cd",	   "exec", "eval",  "export", "set",   "ulimit", "umask", "trap", "wait", "type", ".", ":",
		"!",	"command", "read", "unset", "shift", "times",
	};
	const char *word = line + strspn(line, " \t");
	size_t len = strcspn(word, " \t");
	bool quoted = false;

	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (strlen(builtins[i]) == len && !memcmp(builtins[i], word, len))
			return true;
	if (memchr(word, '=', len))
		return true;
	for (const char *at = word; *at; at++) {
		if (*at == '\\' && at[1]) {
			at++;
		} else if (*at == '\'' && !quoted) {
			at = strchrnul(at + 1, '\'');
			if (!*at)
				return true;
		} else if (*at == '"') {
			quoted = !quoted;
		} else if ((*at == '$' && !isalpha((unsigned char)at[1]) && at[1] != '_') ||
			   (*at == '#' && !quoted && (at == word || strchr(" \t", at[-1])))) {
			return true;
		}
	}
	return false;
}

/* Puts the words of LINE, as the shell has them, into RET. Returns false if it takes the shell to run the line. */
static bool split(const char *line, wordexp_t *ret)
{
	return !wants_shell(line) && !wordexp(line, ret, WRDE_NOCMD | WRDE_UNDEF) && ret->we_wordc;
}

/* Where python3 finds the package, after what the user wants it to find; and what the package is to tell of. `python3 -m` looks in the
 * working directory first, but not in one where another user can put a package of that name. */
static void set_python(const char *wanted)
{
	const char *own = getenv("PYTHONPATH"), *path = libexec_path("python");
	const char *safe = getenv("PYTHONSAFEPATH"), *real, *why;

	if ((!safe || !*safe) && trust_dir(".", 0, &real, &why))
		setenv("PYTHONSAFEPATH", SAFE_PATH_OF_KTAP, 1);
	setenv("PYTHONPATH", own && *own ? arena_printf(&program_arena, "%s:%s", own, path) : path, 1);
	setenv("KTAP_PYTHON", wanted, 1);
}

static void child(const char *line, const char *python, const struct limits *limits, int output, int hold, int failed)
{
	char *copy = xstrdup(line), go;
	char *shell[] = { (char *)"sh", (char *)"-c", copy, NULL };
	wordexp_t words = { 0 };
	char **argv = split(line, &words) ? words.we_wordv : shell;
	sigset_t none;
	int err;

	if (python)
		set_python(python);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	limits_restore(limits);
	if (output != STDOUT_FILENO)
		dup2(output, STDOUT_FILENO);
	if (read(hold, &go, 1) != 1)
		_exit(0); /* the session never came to run */
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

bool command_prepare(struct command *c, const char *line, const char *python, const struct limits *limits, int output)
{
	int hold[2], failed[2];

	*c = (struct command){ .line = line };
	if (!line[strspn(line, " \t")])
		return error(nowhere, DIAG_USAGE, "-c: the command is empty");
	if (pipe2(hold, O_CLOEXEC) < 0 || pipe2(failed, O_CLOEXEC) < 0)
		return error(nowhere, DIAG_RUN, "cannot make a pipe: %s", strerror(errno));
	c->pid = fork();
	if (c->pid == 0) {
		close(hold[1]); /* else its own end would keep it waiting when we die */
		child(line, python, limits, output, hold[0], failed[1]);
	}
	close(hold[0]);
	close(failed[1]);
	c->hold = hold[1];
	c->failed = failed[0];
	if (c->pid < 0) {
		c->pid = 0;
		command_stop(c);
		return error(nowhere, DIAG_RUN, "cannot start the command: %s", strerror(errno));
	}
	return true;
}

bool command_release(struct command *c)
{
	int err;

	c->released = true;
	if (write(c->hold, "g", 1) == 1 && read(c->failed, &err, sizeof(err)) == sizeof(err)) {
		c->not_run = true;
		return error(nowhere, DIAG_RUN, "cannot run the command '%s': %s", c->line, strerror(err));
	}
	return true;
}

/* The child may be reaped by the session's own loop; here only what is left. */
void command_stop(struct command *c)
{
	if (!c->line)
		return;
	close(c->hold);
	close(c->failed);
	if (c->pid > 0) {
		kill(c->pid, c->released ? SIGTERM : SIGKILL);
		for (int i = 0; waitpid(c->pid, &c->status, WNOHANG) == 0; i++) {
			if (i == END_TRIES)
				kill(c->pid, SIGKILL);
			usleep(END_WAIT_US);
		}
	}
	c->pid = 0;
	c->line = NULL;
}

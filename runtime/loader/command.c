/* Runs the command of -c, through the shell where it has shell syntax and directly where it has not, so that target() is
 * the program itself whenever that is possible.
 */
#include "runtime/loader/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/base/paths.h"

enum { END_TRIES = 100, END_WAIT_US = 10000 };

static const struct loc nowhere;

static bool wants_shell(const char *line)
{
	/* what the shell alone can run; true, echo and their kind exist as programs too */
	static const char *const builtins[] = {
		"exit", "cd", "exec", "eval", "export", "set", "ulimit", "umask", "trap", "wait", "command", "type", ".", ":",
	};
	const char *word = line + strspn(line, " \t");
	size_t len = strcspn(word, " \t");

	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (strlen(builtins[i]) == len && !memcmp(builtins[i], word, len))
			return true;
	return line[strcspn(line, "|&;<>()$`\\\"'*?[]#~=%!{}\n")] != 0;
}

/* The words of LINE, NULL-terminated. LINE is cut up. */
static char **split(char *line)
{
	char **argv = xmalloc((strlen(line) / 2 + 2) * sizeof(*argv)), *save = NULL;
	int n = 0;

	for (char *w = strtok_r(line, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		argv[n++] = w;
	argv[n] = NULL;
	return argv;
}

/* Where python3 finds the package, behind what the user wants it to find; and what the package is to tell of. */
static void set_python(const char *wanted)
{
	const char *own = getenv("PYTHONPATH"), *path = libexec_path("python");

	setenv("PYTHONPATH", own && *own ? arena_printf(&program_arena, "%s:%s", own, path) : path, 1);
	setenv("KTAP_PYTHON", wanted, 1);
}

static void child(const char *line, const char *python, int hold, int failed)
{
	char *copy = xstrdup(line), go;
	char *shell[] = { (char *)"sh", (char *)"-c", copy, NULL };
	char **argv = wants_shell(line) ? shell : split(copy);
	sigset_t none;
	int err;

	if (python)
		set_python(python);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (read(hold, &go, 1) != 1)
		_exit(0); /* the session never came to run */
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

bool command_prepare(struct command *c, const char *line, const char *python)
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
		child(line, python, hold[0], failed[1]);
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

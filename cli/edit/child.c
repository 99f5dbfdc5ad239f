/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forks, reads the answer from a pipe, and waits. */
#include "cli/edit/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"

enum {
	MEMORY_MAX = 1 << 30, /* of one answer */
	GRACE_MS = 2000,      /* for a child that removes what it has made */
};

/* A script may stand for more than any machine holds. */
static void give_up(void *unused)
{
	_exit(1);
}

/* Reads to the end. A signal, such as that of a terminal that is resized, does not count. */
static bool read_answer(int fd, int ms, struct text *t)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char chunk[65536];
	ssize_t n;

	for (;;) {
		int ready = poll(&p, 1, ms);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return false;
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return !n;
		text_append(t, chunk, (size_t)n);
	}
}

/* The compiler's output is not for the reader. */
static void silence(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static void answer(child_fn *fn, void *of, bool quiet, int fd, pid_t parent)
{
	FILE *out = fdopen(fd, "w");

	/* Not SIGKILL: a compiler may run, in a directory that is removed then. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	if (quiet)
		silence();
	arena_bound(&program_arena, MEMORY_MAX, give_up, NULL);
	fn(of, out);
	fflush(stderr);
	_exit(fclose(out) ? 1 : 0);
}

/* Ends CHILD, which may remove its files first. */
static void end(pid_t child, int *status)
{
	kill(child, SIGTERM);
	for (int ms = 0; ms < GRACE_MS; ms += 10) {
		if (waitpid(child, status, WNOHANG) == child)
			return;
		usleep(10000);
	}
	kill(child, SIGKILL);
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		continue;
}

bool child_ask(child_fn *fn, void *of, bool quiet, int ms, struct text *ret)
{
	int pipe_fd[2], status = 0;
	bool whole;
	pid_t child, parent = getpid();

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return false;
	fflush(NULL);
	child = fork();
	if (!child)
		answer(fn, of, quiet, pipe_fd[1], parent);
	close(pipe_fd[1]);
	whole = child > 0 && read_answer(pipe_fd[0], ms, ret);
	close(pipe_fd[0]);
	if (child > 0 && !whole)
		return end(child, &status), false;
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return whole && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child process and collects its output through one pipe. */
#include "translator/base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/interrupt.h"
#include "translator/base/status.h"

enum { EXEC_FAILED = 127 };

const char *const proc_make_env[] = {
	"MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKELEVEL",
	"ARCH", "CROSS_COMPILE", "LLVM", "LLVM_IAS", "CPATH", "C_INCLUDE_PATH",
	"KBUILD_OUTPUT", "KBUILD_EXTMOD", "KBUILD_EXTRA_SYMBOLS", "KCFLAGS", "KCPPFLAGS", "KAFLAGS",
	NULL,
};

/* In the child: never returns. A failed exec sends its errno through the CLOEXEC pipe. */
static void child(const struct proc *p, int out, int status_fd)
{
	int err;

	if (p->cwd && chdir(p->cwd) < 0)
		goto failed;
	for (const char *const *e = p->env; e && *e; e++)
		putenv((char *)*e); /* without "=" it takes away */
	if (out >= 0 && (dup2(out, 1) < 0 || dup2(out, 2) < 0))
		goto failed;
	execvp(p->argv[0], (char *const *)p->argv);
failed:
	err = errno;
	if (write(status_fd, &err, sizeof(err)) < 0)
		_exit(EXEC_FAILED);
	_exit(EXEC_FAILED);
}

/* Waits for output of the child, and says meanwhile that it runs. */
static void wait_for_output(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	do
		status_tick();
	while (status_on && poll(&p, 1, STATUS_MS) == 0);
}

static void collect(int fd, struct text *out)
{
	char buf[4096];
	ssize_t n;

	while (wait_for_output(fd), (n = read(fd, buf, sizeof(buf))) != 0) {
		if (n > 0)
			text_append(out, buf, (size_t)n);
		else if (errno != EINTR)
			break;
	}
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int proc_run(const struct proc *p)
{
	int status_pipe[2], out_pipe[2] = { -1, -1 }, out = -1, err = 0, rc;
	pid_t pid;

	if (pipe2(status_pipe, O_CLOEXEC) < 0)
		return -errno;
	if (p->out && pipe2(out_pipe, O_CLOEXEC) < 0) {
		err = -errno;
		close(status_pipe[0]);
		close(status_pipe[1]);
		return err;
	}
	if (p->out)
		out = out_pipe[1];
	else if (p->quiet)
		out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid = interrupt_fork();
	if (pid == 0)
		child(p, out, status_pipe[1]);
	rc = pid < 0 ? -errno : 0;
	close(status_pipe[1]);
	if (out >= 0)
		close(out);
	if (pid > 0 && p->out)
		collect(out_pipe[0], p->out);
	if (p->out)
		close(out_pipe[0]);
	if (pid > 0) {
		ssize_t n = read(status_pipe[0], &err, sizeof(err));

		rc = wait_for(pid);
		if (n == (ssize_t)sizeof(err))
			rc = -err;
	}
	close(status_pipe[0]);
	interrupt_joined();
	return rc;
}

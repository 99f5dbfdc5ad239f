/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child process and collects its output through one pipe.
 *
 * The watcher is a fork of this process that keeps one descriptor: the reading end of a pipe whose other end this process holds. The end of
 * that pipe is the end of this process, whatever ended it.
 */
#include "lib/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/interrupt.h"
#include "lib/status.h"

enum { EXEC_FAILED = 127, GRACE_MS = 1000 }; /* from SIGTERM, at which gcc removes its files, to SIGKILL */

const struct proc_limits proc_limits_compiler = { .seconds = 3600, .cpu_seconds = 1200, .memory_mb = 8192, .file_mb = 2048 };
const struct proc_limits proc_limits_header = { .seconds = 300, .cpu_seconds = 60, .memory_mb = 2048, .file_mb = 512 };

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

/* ---- the watcher ---- */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
enum { N_ENDING = sizeof(ending) / sizeof(ending[0]) };

/* What the child has of signals, while the watcher waits for them or ignores them. */
struct signals {
	sigset_t mask;
	struct sigaction actions[N_ENDING];
};

static void set_limit(int resource, rlim_t most)
{
	struct rlimit limit;

	if (!most || getrlimit(resource, &limit) || limit.rlim_cur <= most)
		return;
	limit.rlim_cur = most;
	setrlimit(resource, &limit);
}

static void set_limits(const struct proc_limits *l)
{
	set_limit(RLIMIT_CPU, l->cpu_seconds);
	set_limit(RLIMIT_AS, (rlim_t)l->memory_mb << 20);
	set_limit(RLIMIT_FSIZE, (rlim_t)l->file_mb << 20);
}

static void on_child(int number)
{
}

/* SIGCHLD comes in wait_for_end() only, and what ends the group does not end the watcher before it. */
static void hold_signals(struct signals *ret)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, heed = { .sa_handler = on_child };
	sigset_t child_set;

	sigemptyset(&child_set);
	sigaddset(&child_set, SIGCHLD);
	sigaction(SIGCHLD, &heed, NULL);
	sigprocmask(SIG_BLOCK, &child_set, &ret->mask);
	for (int i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &ignore, &ret->actions[i]);
}

static void restore_signals(const struct signals *s)
{
	for (int i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &s->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

static void close_gap(unsigned int first, unsigned int last)
{
	if (syscall(SYS_close_range, first, last, 0)) /* new in Linux 5.9 */
		for (unsigned int fd = first; fd <= last && fd < 1024; fd++)
			close((int)fd);
}

void proc_close_except(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low > 0)
		close_gap(0, (unsigned int)low - 1);
	if (high - low > 1)
		close_gap((unsigned int)low + 1, (unsigned int)high - 1);
	close_gap((unsigned int)high + 1, ~0u);
}

/* Waits for the end of CHILD, of the process that the pipe LIFE is of, or of MS milliseconds (negative: no bound). True: it was the child, with
 * *STATUS. */
static bool wait_for_end(pid_t child, int life, int ms, const struct signals *s, int *status)
{
	double end = clock_seconds() + ms / 1000.0;
	struct pollfd p = { .fd = life, .events = POLLIN };
	sigset_t open = s->mask;

	sigdelset(&open, SIGCHLD);
	for (;;) {
		double left = ms < 0 ? 0 : end - clock_seconds();
		struct timespec t = { .tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9) };

		if (waitpid(child, status, WNOHANG) == child)
			return true;
		if ((ms >= 0 && left <= 0) || ppoll(&p, 1, ms < 0 ? NULL : &t, &open) > 0)
			return false;
	}
}

/* Starts P. A function with no other work, as a compiler warns of variables that live across a vfork(). */
static pid_t start(const struct proc *p, int out, int status_fd, const struct signals *s)
{
	pid_t pid = vfork();

	if (!pid) {
		restore_signals(s);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (p->limits)
			set_limits(p->limits);
		child(p, out, status_fd);
	}
	return pid;
}

/* Runs P in a new process group, which ends when LIFE does. Never returns. */
static void watch(const struct proc *p, int out, int status_fd, int life)
{
	int ms = p->limits && p->limits->seconds ? (int)p->limits->seconds * 1000 : -1, status = 0, over = ETIME;
	struct pollfd gone = { .fd = life, .events = POLLIN };
	struct signals s;
	pid_t pid;

	setpgid(0, 0);
	hold_signals(&s);
	pid = start(p, out, status_fd, &s);
	/* The answer pipe of a server and our output must end with us. */
	proc_close_except(life, status_fd);
	if (pid < 0)
		_exit(EXEC_FAILED);
	if (wait_for_end(pid, life, ms, &s, &status))
		_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	if (poll(&gone, 1, 0) == 0 && write(status_fd, &over, sizeof(over)) < 0)
		_exit(EXEC_FAILED);
	kill(0, SIGTERM);
	wait_for_end(pid, -1, GRACE_MS, &s, &status);
	kill(0, SIGKILL);
	_exit(EXEC_FAILED);
}

/* ---- this process ---- */

/* Waits for output of the child, and says meanwhile that it runs. */
static void wait_for_output(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	do
		status_tick();
	while (status_is_on() && poll(&p, 1, STATUS_MS) == 0);
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

/* Waits for PID, and ends what a GROUP of it has left, before its number may be another's. */
static int wait_for(pid_t pid, bool group)
{
	siginfo_t info;
	int status;

	while (group && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		continue;
	if (group)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void close_pipe(int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

int proc_run(const struct proc *p)
{
	int status_pipe[2] = { -1, -1 }, out_pipe[2] = { -1, -1 }, life[2] = { -1, -1 }, out = -1, err = 0, rc;
	bool watched = p->out || p->quiet;
	pid_t pid;

	if (pipe2(status_pipe, O_CLOEXEC) < 0 || (watched && pipe2(life, O_CLOEXEC) < 0) || (p->out && pipe2(out_pipe, O_CLOEXEC) < 0)) {
		err = -errno;
		close_pipe(status_pipe);
		close_pipe(life);
		return err;
	}
	if (p->out)
		out = out_pipe[1];
	else if (p->quiet)
		out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid = interrupt_fork();
	if (pid == 0) {
		if (!watched)
			child(p, out, status_pipe[1]);
		close(life[1]);
		watch(p, out, status_pipe[1], life[0]);
	}
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

		rc = wait_for(pid, watched);
		if (n == (ssize_t)sizeof(err))
			rc = -err;
	}
	close(status_pipe[0]);
	close_pipe(life);
	interrupt_joined();
	return rc;
}

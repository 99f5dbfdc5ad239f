/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/proc.h: the output and the status of a child, its bounds, and the end of everything that it started: when its time is over, and when
 * the process that asked for it is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "testsuite/unit/tap.h"

enum { END_MS = 5000 };

static int run(const char *script, const struct proc_limits *limits, struct text *out)
{
	const char *argv[] = { "sh", "-c", script, NULL };

	text_clear(out);
	return proc_run(&(struct proc){ .argv = argv, .out = out, .limits = limits });
}

/* Do the processes whose numbers are in the text LIST end within END_MS? */
static bool all_end(const char *list)
{
	char *end;

	for (int ms = 0; ms < END_MS; ms += 10) {
		bool any = false;

		for (const char *at = list; *at; at = end) {
			long pid = strtol(at, &end, 10);

			if (end == at)
				break;
			any |= pid && !kill((pid_t)pid, 0);
		}
		if (!any)
			return true;
		usleep(10000);
	}
	return false;
}

static void test_status(struct text *out)
{
	is_int(run("echo out; echo err >&2; exit 7", NULL, out), 7, "the exit status");
	is_str(text_str(out), "out\nerr\n", "both outputs");
	is_int(run("kill -SEGV $$", NULL, out), 128 + SIGSEGV, "death by a signal");
	is_int(proc_run(&(struct proc){ .argv = (const char *const[]){ "nosuch-program", NULL }, .out = out }), -ENOENT, "no such program");
	is_int(run("trap - TERM; kill -TERM $$", NULL, out), 128 + SIGTERM, "the child does not ignore SIGTERM");
	is_int(run("kill -CHLD $$; sleep 0.1; exit 3", NULL, out), 3, "nor does it wait for SIGCHLD");
}

static void test_limits(struct text *out)
{
	double begin = clock_seconds();

	is_int(run("sleep 1000 & echo $! $$; sleep 1000", &(struct proc_limits){ .seconds = 1 }, out), -ETIME, "the time is over");
	ok(clock_seconds() - begin < 20, "that is soon");
	ok(all_end(text_str(out)), "children of the child end, too: %s", text_str(out));
	is_int(run("trap '' TERM; echo $$; while :; do sleep 1; done", &(struct proc_limits){ .seconds = 1 }, out), -ETIME, "SIGTERM ignored");
	ok(all_end(text_str(out)), "it ends all the same");
	is_int(run("while :; do :; done", &(struct proc_limits){ .cpu_seconds = 1 }, out), 128 + SIGXCPU, "CPU time is over");
	ok(run("exec dd if=/dev/zero of=/dev/null bs=256M count=1", &(struct proc_limits){ .memory_mb = 64 }, out), "memory is bounded");
	ok(strstr(text_str(out), "memory exhausted"), "and the child says so");
	is_int(run("dd if=/dev/zero of=/tmp/ktap-proc.$$ bs=1M count=2; s=$?; rm /tmp/ktap-proc.$$; exit $s", &(struct proc_limits){ .file_mb = 1 }, out) != 0,
	       1, "files are bounded");
}

/* The process that asked is killed, as an editor kills its server. */
static void test_killed(struct text *out)
{
	char numbers[64] = "";
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		exit(99);
	pid = fork();
	if (!pid) {
		char script[128];

		snprintf(script, sizeof(script), "sleep 1000 & echo $! $$ >&%d; sleep 1000", ends[1]);
		run(script, NULL, out);
		_exit(0);
	}
	close(ends[1]);
	ok(read(ends[0], numbers, sizeof(numbers) - 1) > 0, "the child runs");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ok(all_end(numbers), "after SIGKILL nothing is left: %s", numbers);
	close(ends[0]);
}

/* The watcher of a child keeps no file of ours open, whatever its number: the other end of a pipe would not see our end. */
static void test_files(struct text *out)
{
	static const char *const closed = "for i in $(seq 100); do [ -e /proc/$PPID/fd/%d ] || exit 0; sleep 0.05; done; exit 1";
	struct rlimit limit;
	char script[160];

	getrlimit(RLIMIT_NOFILE, &limit);
	for (int fd = 100; fd < 4000 && (rlim_t)fd < limit.rlim_max; fd += 1300) {
		limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
		setrlimit(RLIMIT_NOFILE, &limit);
		is_int(fcntl(2, F_DUPFD_CLOEXEC, fd), fd, "a file is open");
		snprintf(script, sizeof(script), closed, fd);
		is_int(run(script, NULL, out), 0, "the watcher has closed it");
		close(fd);
	}
}

int main(void)
{
	struct text out = { 0 };

	test_status(&out);
	test_limits(&out);
	test_killed(&out);
	test_files(&out);
	text_deinit(&out);
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called as stap, the program prints SystemTap's lines of -v, which wrappers parse, and waits for the loader to print the last.
 *
 *	Pass 2: analyzed script: 1 probe, 2 functions, 0 embeds, 0 globals using 9virt/9res/9shr/9data kb, in 9usr/9sys/9real ms.
 */
#include "cli/stap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "lib/clock.h"
#include "lib/interrupt.h"
#include "lib/requests.h"
#include "translator/probe/probe.h"
#include "translator/sema/tapset.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool stap_is_name(const char *argv0)
{
	return !strcmp(base_name(argv0), "stap");
}

/* "using 9virt/9res/9shr/9data kb, " */
static void print_memory(void)
{
	unsigned long size = 0, resident = 0, shared = 0, data = 0;
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f) {
		if (fscanf(f, "%lu %lu %lu %*u %*u %lu", &size, &resident, &shared, &data) != 4)
			size = resident = shared = data = 0;
		fclose(f);
	}
	fprintf(stderr, " using %luvirt/%lures/%lushr/%ludata kb,", size * page, resident * page, shared * page, data * page);
}

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

static void print_counts(const struct program *p)
{
	int probes = 0, functions = 0, embeds = 0, globals = 0;

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		probes += !pr->helper;
	for (const struct function *f = p->functions; f; f = f->next)
		functions += f->used;
	for (const struct embedded_c *e = p->embedded; e; e = e->next)
		embeds++;
	for (const struct symbol *g = p->globals; g; g = g->next)
		globals++;
	fprintf(stderr, "analyzed script: %d probe%s, %d function%s, %d embed%s, %d global%s", probes, plural(probes), functions,
		plural(functions), embeds, plural(embeds), globals, plural(globals));
}

static void print_line(const struct program *p, int number, const char *module, struct pass_times times)
{
	fprintf(stderr, "Pass %d: ", number);
	switch (number) {
	case 1:
		fprintf(stderr, "parsed user script and %d library scripts", tapset_files(p));
		break;
	case 2:
		print_counts(p);
		break;
	case 3:
		fprintf(stderr, "translated to C into \"script.c\"");
		break;
	case 4:
		fprintf(stderr, "compiled C into \"%s\"", base_name(module));
		break;
	}
	if (number < 4)
		print_memory();
	fprintf(stderr, " in %.0fusr/%.0fsys/%.0freal ms.\n", times.user, times.system, times.real);
}

void stap_pass_end(const struct program *p, int number, bool ok, const char *module, struct pass_times times)
{
	static const char *const passes[] = { "", "parse", "analysis", "translation", "compilation" };

	if (!ok)
		fprintf(stderr, "Pass %d: %s failed.\n", number, passes[number]);
	else if (p->output.verbose)
		print_line(p, number, module, times);
}

/* ---- pass 5 ---- */
static sigset_t forwarded(void)
{
	static const int others[] = { SIGHUP, SIGUSR2, SIGCONT, SIGWINCH, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	add_requests(&set);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		sigaddset(&set, others[i]);
	return set;
}

/* Waits for the loader CHILD. The terminal's signals reach it by themselves. */
static int wait_for(pid_t child, const sigset_t *signals)
{
	siginfo_t info;
	int status;

	for (;;) {
		if (sigwaitinfo(signals, &info) < 0)
			continue;
		if (info.si_signo != SIGCHLD && info.si_code != SI_KERNEL)
			kill(child, info.si_signo);
		if (info.si_signo == SIGCHLD && waitpid(child, &status, WNOHANG) == child && !WIFSTOPPED(status))
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
}

static void print_end(double started)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	fprintf(stderr, "Pass 5: run completed in %.0fusr/%.0fsys/%.0freal ms.\n",
		(double)used.ru_utime.tv_sec * 1e3 + (double)used.ru_utime.tv_usec / 1e3,
		(double)used.ru_stime.tv_sec * 1e3 + (double)used.ru_stime.tv_usec / 1e3, (clock_seconds() - started) * 1e3);
}

int stap_run(const char *const *argv)
{
	sigset_t signals = forwarded(), before;
	double started = clock_seconds();
	pid_t child;
	int status;

	fprintf(stderr, "Pass 5: starting run.\n");
	interrupt_hand_over();
	sigprocmask(SIG_BLOCK, &signals, &before);
	child = fork();
	if (!child) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execv(argv[0], (char *const *)argv);
		fprintf(stderr, "cannot start %s: %s\n", argv[0], strerror(errno));
		_exit(1);
	}
	status = child < 0 ? 1 : wait_for(child, &signals);
	print_end(started);
	return status;
}

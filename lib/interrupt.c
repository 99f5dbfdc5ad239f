/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guarded paths and the signals that wait for them. */
#include "lib/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/requests.h"

enum { DEPTH_MAX = 8 };

struct guards {
	char *paths[DEPTH_MAX];
	int depth;
	struct sigaction before[_NSIG];
	sigset_t requests; /* caught while a path is guarded */
	volatile sig_atomic_t came; /* the signal; 0: none */
	volatile pid_t running;     /* the child's process group; 0: none */
};

static struct guards guards; /* of this process: a handler of signals is not given them */

/* ---- removing ---- */
static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- signals ---- */
static void on_signal(int number)
{
	guards.came = number;
	if (guards.running)
		kill(-guards.running, SIGTERM);
}

/* An ignored signal stays ignored. */
static void catch(struct guards *g)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigemptyset(&g->requests);
	add_caught_requests(&g->requests);
	sigaddset(&g->requests, SIGUSR2);
	for (int s = 1; s < _NSIG; s++)
		if (is_ignored(s))
			sigdelset(&g->requests, s);
		else if (sigismember(&g->requests, s) == 1)
			sigaction(s, &sa, &g->before[s]);
}

static void let_go(const struct guards *g)
{
	for (int s = 1; s < _NSIG; s++)
		if (sigismember(&g->requests, s) == 1)
			sigaction(s, &g->before[s], NULL);
}

/* Removes the guarded files. */
static void end(struct guards *g)
{
	if (!g->depth)
		return;
	while (g->depth) {
		char *path = g->paths[--g->depth];

		if (path)
			remove_tree(path);
		free(path);
	}
	let_go(g);
}

/* Ends the process if a signal came. */
static void obey(struct guards *g)
{
	int number = g->came;

	if (!number)
		return;
	end(g);
	raise(number);
	_exit(128 + number); /* its default was another */
}

/* ---- guards ---- */
void interrupt_guard(const char *path)
{
	struct guards *g = &guards;

	assert(g->depth < DEPTH_MAX);
	if (!g->depth)
		catch(g);
	g->paths[g->depth++] = path ? xstrdup(path) : NULL;
}

void interrupt_unguard(void)
{
	struct guards *g = &guards;

	assert(g->depth);
	if (g->depth == 1)
		obey(g);
	free(g->paths[--g->depth]);
	if (!g->depth)
		let_go(g);
}

bool interrupt_came(void)
{
	return guards.came;
}

void interrupt_end(void)
{
	end(&guards);
}

/* ---- children ---- */
pid_t interrupt_fork(void)
{
	struct guards *g = &guards;
	sigset_t old;
	pid_t pid;

	if (!g->depth)
		return fork();
	sigprocmask(SIG_BLOCK, &g->requests, &old);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		let_go(g);
	} else if (pid > 0) {
		setpgid(pid, pid); /* whoever comes first */
		g->running = pid;
		if (g->came)
			kill(-pid, SIGTERM);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

void interrupt_joined(void)
{
	guards.running = 0;
	if (guards.depth)
		obey(&guards);
}

void interrupt_hand_over(void)
{
	if (!guards.depth)
		return;
	sigprocmask(SIG_BLOCK, &guards.requests, NULL);
	if (guards.came)
		raise(guards.came);
}

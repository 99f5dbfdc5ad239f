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

static char *guarded[DEPTH_MAX];
static int depth;
static struct sigaction before[_NSIG];
static sigset_t requests; /* caught while a path is guarded */
static volatile sig_atomic_t came; /* the signal; 0: none */
static volatile pid_t running;     /* the child's process group; 0: none */

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
	came = number;
	if (running)
		kill(-running, SIGTERM);
}

/* An ignored signal stays ignored. */
static void catch(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigemptyset(&requests);
	add_caught_requests(&requests);
	sigaddset(&requests, SIGUSR2);
	for (int s = 1; s < _NSIG; s++)
		if (is_ignored(s))
			sigdelset(&requests, s);
		else if (sigismember(&requests, s) == 1)
			sigaction(s, &sa, &before[s]);
}

static void let_go(void)
{
	for (int s = 1; s < _NSIG; s++)
		if (sigismember(&requests, s) == 1)
			sigaction(s, &before[s], NULL);
}

/* Ends the process if a signal came. */
static void obey(void)
{
	int number = came;

	if (!number)
		return;
	interrupt_end();
	raise(number);
	_exit(128 + number); /* its default was another */
}

/* ---- guards ---- */
void interrupt_guard(const char *path)
{
	assert(depth < DEPTH_MAX);
	if (!depth)
		catch();
	guarded[depth++] = path ? xstrdup(path) : NULL;
}

void interrupt_unguard(void)
{
	assert(depth);
	if (depth == 1)
		obey();
	free(guarded[--depth]);
	if (!depth)
		let_go();
}

bool interrupt_came(void)
{
	return came;
}

void interrupt_end(void)
{
	if (!depth)
		return;
	while (depth) {
		if (guarded[--depth])
			remove_tree(guarded[depth]);
		free(guarded[depth]);
	}
	let_go();
}

/* ---- children ---- */
pid_t interrupt_fork(void)
{
	sigset_t old;
	pid_t pid;

	if (!depth)
		return fork();
	sigprocmask(SIG_BLOCK, &requests, &old);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		let_go();
	} else if (pid > 0) {
		setpgid(pid, pid); /* whoever comes first */
		running = pid;
		if (came)
			kill(-pid, SIGTERM);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

void interrupt_joined(void)
{
	running = 0;
	if (depth)
		obey();
}

void interrupt_hand_over(void)
{
	if (!depth)
		return;
	sigprocmask(SIG_BLOCK, &requests, NULL);
	if (came)
		raise(came);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guarded paths and the signals that wait for them. */
#include "translator/base/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

#include "translator/base/arena.h"

enum { DEPTH_MAX = 8 };

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
static char *guarded[DEPTH_MAX];
static int depth;
static struct sigaction before[sizeof(signals) / sizeof(signals[0])];
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

static sigset_t signal_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	return set;
}

static void catch(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	}
}

static void let_go(void)
{
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &before[i], NULL);
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
	sigset_t set = signal_set(), old;
	pid_t pid;

	if (!depth)
		return fork();
	sigprocmask(SIG_BLOCK, &set, &old);
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
	sigset_t set = signal_set();

	if (!depth)
		return;
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (came)
		raise(came);
}

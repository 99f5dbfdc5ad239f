/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to end a session: each signal that would end a program and can be caught. */
#ifndef KTAP_LIB_REQUESTS_H
#define KTAP_LIB_REQUESTS_H

#include <signal.h>
#include <stdbool.h>

/* A wrapper that passes Ctrl-C on, timeout and sudo send one request as several signals. */
struct interrupt_requests {
	int n;       /* so far */
	double last; /* when the last of them came, seconds */
};

enum {
	INTERRUPT_GIVES_UP = 2, /* that request does not wait for a reader of the output any more */
	INTERRUPT_FORCES = 3,   /* that request does not wait for anything */
};

/* Counts a signal that comes at NOW; false: it repeats the request of less than a second ago. */
static inline bool interrupt_request(struct interrupt_requests *r, double now)
{
	if (r->n && now - r->last < 1)
		return false;
	r->n++;
	r->last = now;
	return true;
}

/* Returns whether the program that started this one had SIGNAL ignored, as nohup(1) does. */
static inline bool is_ignored(int signal)
{
	struct sigaction sa;

	return !sigaction(signal, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

/* Returns whether SIGNAL never ends a program, or has another meaning for a session: a new output file, an output that cannot be
 * written, a stop of the terminal. */
static inline bool is_no_request(int signal)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP,
				      SIGTTIN, SIGTTOU, SIGPIPE, SIGXFSZ, SIGUSR2 };

	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i] == signal)
			return true;
	return false;
}

/* Returns whether SIGNAL reports a fault of the program itself. While it is blocked a fault still ends the program; one that
 * another program sends is a request. */
static inline bool is_fault(int signal)
{
	return signal == SIGILL || signal == SIGTRAP || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV ||
	       signal == SIGSYS;
}

/* Returns whether a shell lets programs in the background ignore SIGNAL. */
static inline bool is_of_terminal(int signal)
{
	return signal == SIGINT || signal == SIGQUIT;
}

/* Adds the signals that are requests to SET, for a signalfd. */
static inline void add_requests(sigset_t *set)
{
	for (int s = 1; s <= SIGRTMAX; s++)
		if (!is_no_request(s) && (is_of_terminal(s) || s == SIGTERM || !is_ignored(s)))
			sigaddset(set, s); /* the C library refuses its own two, 32 and 33 */
}

/* Adds the requests that a handler can catch. Signals of faults are left out: the handler would return to the fault. */
static inline void add_caught_requests(sigset_t *set)
{
	add_requests(set);
	for (int s = 1; s <= SIGRTMAX; s++)
		if (is_fault(s))
			sigdelset(set, s);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to end a session: SIGINT, SIGTERM and SIGHUP. */
#ifndef KT_REQUESTS_H
#define KT_REQUESTS_H

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

/* Returns whether SIGNAL is ignored. SIGHUP is, below nohup(1), and is no request then. */
static inline bool is_ignored(int signal)
{
	struct sigaction sa;

	return !sigaction(signal, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

/* Adds the signals that are requests to SET. */
static inline void add_requests(sigset_t *set)
{
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
}

#endif

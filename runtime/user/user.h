/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of script.h in a process: one thread, one "CPU", probes begin, end, error and timer.
 *
 * session.c is the program; record.c prints what handlers write; fn.c has the tapset functions; port.c the rest.
 */
#ifndef KT_USER_USER_H
#define KT_USER_USER_H

#include <stdbool.h>

#include "runtime/output/events.h"
#include "runtime/script.h"

struct user_session {
	enum kt_state state;
	bool failed;
	int exit_code;
	int target;          /* -x, or the process of -c */
	kt_u64 errors;
	struct kt_probe_status *ledger; /* by probe */
	bool no_warnings;    /* -w */
	struct events events; /* -f json */
	bool *off;           /* by probe: its condition does not hold */
	kt_u64 now;          /* CLOCK_MONOTONIC, ns, of the event that is handled */
};
extern struct user_session user_session;

/* ---- session.c ---- */
/* exit(), an error, a signal. */
void user_ask_stop(bool failed);
/* Ends the process: an impossibility or no memory. */
void user_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Counts a loss of the handler that runs. */
void user_lose(enum kt_loss cause);

/* ---- steer.c: --control ---- */
/* Takes standard input. SIGNAL has the handlers of a signal run soon, or returns false if the script has none. False: no memory. */
bool user_steer_init(struct events *events, bool (*signal)(kt_u32 number));
/* Where the next commands come from, -1: none do. */
int user_steer_fd(void);
/* Carries out what can be read there. */
void user_steer(void);
bool user_switched_off(kt_u32 probe);

/* ---- record.c ---- */
/* A line on stderr, after all that was printed before it: "ERROR: ...". */
void user_say(const char *kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A warning of the session itself, unless -w is given. */
void user_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A record of KIND with one or two strings. */
void user_message(struct kt_ctx *c, kt_u32 kind, const char *message);
/* The error that C raises, with its place and the calls that led there. */
void user_error(struct kt_ctx *c);

/* ---- port.c ---- */
/* Per-CPU globals and string frames of the script. */
void user_port_init(void);
void user_port_free(void);
/* A context for a handler of PROBE. */
struct kt_ctx *user_enter(const struct kt_probe *probe);
/* The probe that was entered last; NULL: none was. */
const struct kt_probe *user_probe(void);

#endif

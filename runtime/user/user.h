/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of script.h in a process: one thread, one "CPU", probes begin, end, error and timer.
 *
 * session.c is the program; record.c prints what handlers write; fn.c has the tapset functions; port.c the rest.
 * Functions of the contract, kt_NAME(), are not given the session: they and a handler of signals name user_current. All others are passed it.
 */
#ifndef KT_USER_USER_H
#define KT_USER_USER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "lib/outlet.h"
#include "lib/requests.h"
#include "runtime/commands.h"
#include "runtime/output/events.h"
#include "runtime/script.h"

/* A kernel has one of each for every CPU. port.c */
struct user_cpu {
	void *globals; /* of the script, per CPU */
	char *frame;   /* strings of the handler */
	struct kt_ctx context; /* of the handler that was entered last */
};

/* record.c */
struct user_records {
	struct kt_record *record; /* the one that is being written */
	size_t room;   /* bytes that are allocated for it */
	char **seen;   /* n_seen lines that stderr got and gets only once */
	size_t n_seen;
};

struct user_session;

/* --control. steer.c */
struct user_steer {
	struct commands commands;
	bool (*signal)(struct user_session *s, kt_u32 number); /* see user_steer_init() */
	void (**switched)(struct kt_ctx *c); /* by probe: the handler that handle_off() replaced; NULL: the probe is armed */
};

struct user_signals {
	struct interrupt_requests requests; /* changes only while signals are unblocked, in ppoll() of the loop and of the outlet */
	bool wanted[KT_SIGNALS_MAX];        /* by number: the script has a probe of it */
	volatile sig_atomic_t came[KT_SIGNALS_MAX]; /* by number */
};

struct user_session {
	enum kt_state state;
	bool failed;
	int exit_code;
	int target;          /* -x, or the process of -c */
	const char *command_line; /* -c */
	pid_t command;       /* its process; 0: none runs */
	kt_u64 deadline;     /* -T, CLOCK_MONOTONIC, ns */
	enum stamp_clock stamps; /* --timestamps */
	bool no_warnings;    /* -w */
	bool strict, show_ledger; /* --strict, --ledger */
	kt_u64 errors;
	struct kt_probe_status *ledger; /* by probe */
	kt_s64 *timings;     /* by probe, KT_TIMING_WORDS each; NULL: hits are not timed */
	struct events events; /* -f json */
	bool *off;           /* by probe: its condition does not hold */
	kt_u64 random;       /* state of the random numbers; 0: not seeded yet */
	struct outlet outlet;
	struct user_signals signals;
	struct user_cpu cpu;
	struct user_records records;
	struct user_steer steer;
};
extern struct user_session user_current;

/* ---- session.c ---- */
/* exit(), an error, a signal. */
void user_ask_stop(struct user_session *s, bool failed);
/* Ends the process: an impossibility or no memory. */
void user_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Counts a loss of the handler that runs. */
void user_lose(struct user_session *s, enum kt_loss cause);

/* ---- steer.c: --control ---- */
/* Takes commands from standard input. SIGNAL has the handlers of a signal run soon, or returns false if the script has none. Returns false
 * without memory. */
bool user_steer_init(struct user_steer *st, bool (*signal)(struct user_session *s, kt_u32 number));
/* Where the next commands come from, -1: none do. */
int user_steer_fd(const struct user_steer *st);
/* Carries out what can be read there. */
void user_steer(struct user_session *s);
bool user_switched_off(const struct user_steer *st, kt_u32 probe);

/* ---- record.c ---- */
/* A line on stderr, after all that was printed before it: "ERROR: ...". */
void user_say(const char *kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A warning of the session itself, unless -w is given. */
void user_warn(struct user_session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A record of KIND with one or two strings. */
void user_message(struct kt_ctx *c, kt_u32 kind, const char *message);
/* The error that C raises, with its place and the calls that led there. */
void user_error(struct kt_ctx *c);

/* ---- port.c ---- */
/* Per-CPU globals and string frames of the script. */
void user_cpu_init(struct user_cpu *cpu);
void user_cpu_free(struct user_cpu *cpu);
/* A context for a handler of PROBE. */
struct kt_ctx *user_enter(struct user_cpu *cpu, const struct kt_probe *probe);

#endif

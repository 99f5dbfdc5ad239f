/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions that are watched while they run: --monitor, --prometheus, --otlp and --notify.
 *
 * The session runs in a child as it would without them, with -f json and --snapshots. Its objects come through a pipe, and struct live
 * keeps the last value of each global and the last ledger of each probe. A view shows them or sends them on.
 */
#ifndef KTAP_CLI_LIVE_LIVE_H
#define KTAP_CLI_LIVE_LIVE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct json_object;

/* The state of the session so far. Its json-c objects are owned here. */
struct live {
	struct json_object *start;   /* NULL: none came yet */
	struct json_object *values;  /* by name: the last `global` or `map` */
	struct json_object *ledgers; /* by the number of the probe: the last `ledger` */
	uint64_t snapshots, warnings, errors;
	bool over;                   /* an `exit` came */
	pid_t child;                 /* the session */
	int status;                  /* its exit status, once it is over */
	int control;                 /* with --monitor, commands of --control are written here; else -1 */
	int signals;                 /* signalfd of SIGINT, SIGTERM and SIGHUP */
	bool interrupted;            /* one of them came */
};

/* A way to look at a session. Functions that it lacks are NULL. */
struct view {
	void *of;
	/* An object came, which is part of LIVE already. */
	void (*event)(void *of, const struct live *live, struct json_object *event);
	/* Something that is no object was printed, a line without its end. Without such a view it goes to standard error. */
	void (*line)(void *of, const char *text, size_t len);
	/* Adds at most ROOM descriptors to wait for, and lowers *TIMEOUT (milliseconds). Returns how many. */
	int (*wait)(void *of, struct pollfd *ret, int room, int *timeout);
	/* After the wait: P are the descriptors that wait() added. */
	void (*polled)(void *of, const struct live *live, const struct pollfd *p, int n);
	/* The session is over. */
	void (*close)(void *of, const struct live *live);
};

struct live_options {
	const char *prometheus; /* ADDRESS:PORT, or NULL */
	const char *otlp;       /* URL, or NULL */
	bool monitor;           /* a full screen, on this terminal */
	bool notify;            /* tell systemd, as $NOTIFY_SOCKET says */
	bool prints;            /* what the script prints goes to standard output */
	bool json;              /* the objects go on to standard output; else the texts that are printed */
};

/* Reports an option that this ktap was built without. */
bool live_check(const struct live_options *o);
/* Runs SESSION(OF) in a child. Returns the exit status. */
int live_run(const struct live_options *o, int (*session)(void *of), void *of);

/* Reports why there can be no screen. */
bool monitor_check(void);
/* Each opens a view; false: reported. */
bool monitor_open(struct view *ret);
bool prometheus_open(const char *address, struct view *ret);
bool notify_open(const char *path, struct view *ret);
bool otlp_open(const char *url, struct view *ret);

/* Members of json-c objects; zero or "" where there is none. */
const char *live_text(struct json_object *o, const char *name);
int64_t live_number(struct json_object *o, const char *name);
struct json_object *live_member(struct json_object *o, const char *name);
struct text;
/* Appends the bytes that the session had in STRING, which JSON has as UTF-8. */
void live_bytes(struct text *t, struct json_object *string);
/* A key of a map as text: frames of a stack are separated by BETWEEN. */
void live_key(struct text *t, struct json_object *key, const char *between);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -f json: what happens in a session as objects, one a line, in the order in which it happens:
 *
 *     start, then print, warning, error, global and map, then a ledger for each probe, then exit
 *
 * With --snapshots globals, maps and ledgers come again and again between the others, each time with a snapshot after them.
 *
 * docs/ktap-output-1.schema.json describes them. Members are named as in OpenTelemetry where it has a name for them. ktaprun and
 * the programs of --runtime=user share this file; each says how a line is written.
 */
#ifndef KTAP_OUTPUT_EVENTS_H
#define KTAP_OUTPUT_EVENTS_H

#include "runtime/core/format.h"
#include "runtime/errors.h"
#include "runtime/output/stamp.h"

enum { EVENTS_SCHEMA = 1 };

struct events {
	bool on;            /* else what is printed is written as text, and the rest not at all */
	struct stamp stamp; /* --timestamps, of text too */
	void (*write)(void *to, const char *text, size_t len);
	void *to;
	void (*ledgers)(void *of); /* writes the ledger of each probe, for --snapshots */
	void *ledgers_of;
	kt_u64 snapshots;   /* so far */
	struct json line;   /* the object of one record, or text with its stamps */
	struct json object; /* one that several records make */
	bool open;          /* further templates continue it */
	size_t whole;       /* so many bytes of an open map end with a whole entry; 0: none does */
	kt_u64 entries;     /* of it, the one under way included */
	bool framing;       /* what is printed is a stack: */
	struct json frames; /* its lines */
};

/* Begins with text and without stamps. */
void events_init(struct events *e, void (*write)(void *to, const char *text, size_t len), void *to);
void events_deinit(struct events *e);

/* A probe of the session. Without a mechanism it is one that ktap made, and is left out. */
struct event_probe {
	const char *point, *mechanism;
	const char *origin; /* FILE:LINE:COLUMN; a newline ends it, other text may follow */
};

struct event_session {
	const char *runtime;  /* "kernel" or "user" */
	const char *name;     /* of the script; NULL: unknown, as of a module that was built without -f json */
	const char *sha256;   /* likewise */
	const char *text;     /* likewise: the script, then each text of -E */
	int target;           /* process of -x or -c; 0: none */
	const char *command;  /* -c or NULL */
	kt_u32 n_probes;
	void (*probe)(void *of, kt_u32 index, struct event_probe *ret);
	void *of;
};

void events_start(struct events *e, const struct event_session *s);

/* TIME is that of the record, 0: now. A text that was printed, and the N arguments ARGS of FORMAT; or a template of abi.h. */
void events_print(struct events *e, kt_u64 time, const char *format, const struct kt_arg *args, kt_u32 n, const char *text,
		  size_t len);
/* PLACE: "operator '/' at x.stp:1:2", or NULL. */
void events_warning(struct events *e, kt_u64 time, const char *message, size_t len, const char *place);
void events_error(struct events *e, kt_u64 time, const struct error_texts *t, const struct error *error);

/* The ledger of the probe POINT, which is number S->index + 1. COUNTED: handled hits were counted. Nothing is written of an armed probe without hits
 * and losses. */
void events_ledger(struct events *e, const char *point, const struct kt_probe_status *s, bool counted);
/* The answer to the command LINE of --control: how many probes it switched, if any, or ERROR. */
void events_command(struct events *e, const char *line, kt_u32 switched, const char *error);
/* The answer to `list`. PROBE says of each of N probes what there is to show; without a point nothing. */
struct event_listed {
	const char *point;
	kt_u32 off; /* bits of enum kt_off */
};
void events_list(struct events *e, void (*probe)(void *of, kt_u32 index, struct event_listed *ret), void *of, kt_u32 n);
/* LOST by enum kt_loss, of all probes. */
void events_exit(struct events *e, int status, kt_u64 errors, const kt_u64 *lost);

#endif

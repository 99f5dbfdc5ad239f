/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --monitor shows: probes with rates, globals as lines, and the lines that the session printed. */
#ifndef KTAP_CLI_LIVE_FIGURES_H
#define KTAP_CLI_LIVE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/live/live.h"
#include "lib/text.h"

/* Counts of a probe since the start, as its last ledger has them. */
struct probe_counts {
	uint64_t hits, lost;
	uint64_t runs, cycles; /* of its handler */
	uint64_t clock;        /* the cycle counter when they were taken; 0: not known */
};

struct probe_row {
	int number;            /* as commands name it */
	char *point;
	char state;            /* ' ' armed, '-' disarmed, '!' stopped by the overload guard */
	struct probe_counts now, before; /* before: at the last snapshot */
	/* As shown, of the time between two snapshots: */
	uint64_t hits, lost;
	double rate;           /* hits a second */
	double average;        /* ns a run; negative: none ran */
	double share;          /* of one CPU, in percent */
};

/* Lines of text, the oldest of which go when there are too many. */
struct lines {
	char **line;
	size_t n;
	bool open;             /* the last one has not ended */
	uint64_t dropped;
};

enum { LINES_MAX = 10000, LINE_BYTES_MAX = 4096 };

void lines_add(struct lines *l, const char *text, size_t len);
/* As lines_add(), up to each newline. */
void lines_add_text(struct lines *l, const char *text, size_t len);
void lines_clear(struct lines *l);

struct figures {
	struct probe_row *probes;
	size_t n_probes;
	struct json_object *values; /* by name, as last shown */
	double time;           /* of the last snapshot, seconds; 0: none came */
	double hertz;          /* of the cycle counter; 0: not known yet */
	bool by_key;           /* order of the elements of arrays: else the largest value first */
	struct lines globals;
};

void figures_start(struct figures *f, struct json_object *start);
void figures_ledger(struct figures *f, struct json_object *ledger);
/* A snapshot is complete. PAUSED: what is shown stays. */
void figures_snapshot(struct figures *f, const struct live *live, struct json_object *snapshot, bool paused);
/* A command to arm or disarm the probe with this number was carried out. */
void figures_switched(struct figures *f, int number, bool off);
/* Makes the lines of f->globals. */
void figures_list_globals(struct figures *f);
void figures_deinit(struct figures *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session keeps, and the parts of it: records, cold handlers, what is in the kernel. */
#ifndef KT_BPF_STATE_H
#define KT_BPF_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/text.h"
#include "runtime/bpf/natives.h"
#include "runtime/bpf/store.h"
#include "runtime/bpf/targets.h"

enum { RING_BYTES = 4 << 20 };

struct ring {
	unsigned long *consumer, *producer;
	char *data;
	size_t size;
};

struct timer {
	const struct image_row *row;
	kt_u64 next;
};

/* Hits that the kernel itself missed. */
struct missed {
	kt_u64 recursion, kprobe, returns;
};

struct bpf_session {
	struct image_file image;
	struct store store;
	struct image_state *state;
	struct image_losses *losses; /* by probe */
	struct missed *missed; /* by probe, after the places are detached */
	bool uncounted;    /* the kernel missed hits that it may not have counted */
	kt_u32 running;    /* the probe whose handler runs here */
	const struct native **functions; /* of the library, by number in the image */
	struct natives *natives;
	int *fds;          /* by map */
	int *programs;     /* by program, -1 */
	int *places;       /* by row, -1 */
	int *events;       /* of rows that have several: those but the last */
	kt_u32 n_events;
	int *errors;       /* by probe: why the last place that was refused was, 0 */
	struct ring ring;
	struct timer *timers;
	kt_u32 n_timers;
	kt_u64 signals;    /* that came, a bit each, and whose handlers are still to run */
	kt_u64 slide;
	struct targets targets;
	bool in_kernel, failed;
	kt_u32 armed, refused;
	struct kt_start start;
	int event, clock;  /* epoll, and its timer */
	pthread_mutex_t lock; /* a cold handler runs, or records are moved: held by one of the threads */
	struct text records; /* for the reader, in order */
	size_t taken;      /* bytes of them that it has */
};

/* ---- answers.c ---- */
/* Adds what PROBE lost to RET, of KT_LOSS_COUNT numbers. */
void losses_add(const struct bpf_session *s, kt_u32 probe, kt_u64 *ret);

/* ---- records.c ---- */
/* Writes the message of ERROR with DETAIL to TO; TEXT is that of error(). */
void error_message(const struct bpf_session *s, char *to, size_t size, enum image_error error, kt_s64 detail, const char *text);
/* Adds a record to those for the reader. */
void records_put(struct bpf_session *s, const struct kt_record *rec);
/* Adds an error of PROBE that has no place in the script. */
void records_put_error(struct bpf_session *s, kt_u32 probe, enum kt_error_kind kind, const char *message);
/* Adds a warning. */
void records_put_warning(struct bpf_session *s, const char *message);
/* Moves those that the kernel's ring has. */
void records_drain(struct bpf_session *s);

/* ---- cold.c ---- */
/* Now, by the clock ID, in ns. */
kt_u64 clock_ns(clockid_t id);
/* What the instruction that loads WHAT, an enum image_value, gets. */
kt_u64 known_value(const struct bpf_session *s, kt_u32 what);
/* Runs the handler of PROBE. */
void run_cold(struct bpf_session *s, kt_u32 probe);
/* Sets the timers off, and runs those that are due. */
void timers_begin(struct bpf_session *s);
void timers_run(struct bpf_session *s);
/* Runs the handlers of signals that came. */
void signals_run(struct bpf_session *s);

/* ---- programs.c ---- */
/* Each returns false if it fails, which it reported. */
/* Checks that this process has the capabilities that the programs and their places take. */
bool check_rights(const struct bpf_session *s);
/* Sets `slide`, the distance between the addresses of the kernel and those of its debugging information, if the image has any. */
bool find_slide(struct bpf_session *s);
/* Makes the maps and loads the programs. VERBOSE: prints what the kernel says of a program that it refuses. */
bool make_maps(struct bpf_session *s);
bool load_programs(struct bpf_session *s, bool verbose);
/* Attaches the programs to their places. Those that the kernel refuses are counted in `refused`. False: it refuses all. */
bool attach(struct bpf_session *s);
void detach(struct bpf_session *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families of the script, and what single ones offer to other files.
 *
 * To add a family: its row in families.def and its row struct in abi.h, and a file here that ends in one
 * `const struct kt_family_ops`. Its kernel callback calls kt_handle().
 */
#ifndef KT_KIT_FAMILY_H
#define KT_KIT_FAMILY_H

#include "runtime/kit/services.h"

/* ---- family.c: the families of the script ---- */
/* Runs the begin, end or error probes, in order. */
void kt_life_run(enum kt_life when);
/* Sets the places of each family, by enum kt_family. Before all others. */
void kt_families_use(struct kt_places *families);
/* Arms the script's families in the order of its table. On failure those before the failed one are armed. Context: START. */
int kt_families_arm(void);
/* Disarms what is armed, in reverse. */
void kt_families_disarm(void);
/* Arms and disarms places as kt_probe_off() says. Returns how many places refused. Under kt_run.lock. */
u32 kt_families_update(void);
/* Adds the hits that the kernel counted as missed. Under kt_run.lock. */
void kt_families_count(struct kt_status *s);
/* Returns how many places START arms; begin and end probes have none. */
u32 kt_families_rows(void);

/* ---- process.c ---- */
/* Once the session runs: process.begin of the processes that were there before it. */
void kt_process_tell(void);

/* ---- perf.c, perf-task.c: events of each CPU, events of threads ---- */
struct kt_perf_place {
	struct kt_cpu_events events;  /* first; of a row with a path, its `place` alone */
	struct perf_program *program; /* of a row with a path, once it is armed */
	int error;                    /* it counts nothing */
	bool reported;                /* that a task lacks its event */
};

struct perf_event_attr kt_perf_attr(const struct kt_perf_row *row);
/* Handles a hit of PROBE by EVENT, which was asked for by TYPE and CONFIG. Counts when the kernel throttles it from here on, until its next
 * tick. Context: the event's. */
void kt_perf_hit(const struct kt_probe *probe, struct perf_event *event, u32 type, u64 config, struct pt_regs *regs);
/* The events that count for COUNTER; NULL: it is a counter of threads, or probes are not armed. Context: a handler. */
struct kt_cpu_events *kt_perf_cpu_counter(u32 counter);
/* Makes ATTR watch LENGTH bytes at ADDRESS, reads too if READS. */
void kt_watch_attr(struct perf_event_attr *attr, u64 address, u32 length, bool reads);
/* Arms the places whose rows name a program. After a failure too it is to be disarmed. */
int kt_perf_tasks_arm(struct kt_places *all);
void kt_perf_tasks_disarm(void);
/* Before START: where the processes of a program start. Context: process. */
int kt_perf_program_starts(const struct kt_program_start *at);
void kt_perf_programs_destroy(void);

/* ---- procfs.c ---- */
/* Gives standard input, which ktaprun writes to the control file, to the probes that read it. Returns how many bytes it took, or
 * -errno. Context: process. */
ssize_t kt_procfs_input(const char __user *from, size_t len);

/* ---- signal-probe.c ---- */
/* Has the handlers of signal NUMBER run soon. Context: process. */
void kt_signal_came(u32 number);

#endif

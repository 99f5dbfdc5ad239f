/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the session, which every file of the kit may read. state.c needs no other file of the kit. */
#ifndef KT_KIT_STATE_H
#define KT_KIT_STATE_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "runtime/kit/compat.h"
#include "runtime/script.h"

struct kt_run {
	int state;              /* enum kt_state, and KT_MEASURED; next to nothing that handlers write */
	s32 target, tz_west;
	char tz_name[16];
	unsigned long slide;    /* run-time address of the kernel minus its linked one */
	/* Written on rare occasions only. */
	struct mutex lock ____cacheline_aligned; /* START, STOP, SET, release */
	int failed;
	s32 exit_code;
	atomic64_t errors;
	/* Places that are attached, refused, and looked for: owned by place.c. */
	atomic_t armed, refused;
	u32 found;
	u32 overloads;          /* probes that the guard stopped */
	bool stays;             /* the module cannot be unloaded: see kt_places_stay() */
	struct kt_probe_status *probes; /* one per kt_script.probes; `off` also has the bits of enum kt_off_here */
};
extern struct kt_run kt_run;

/* Returns the rows of FAMILY, which may be none. */
const struct kt_family_rows *kt_rows_of(enum kt_family family);

/* Beside KT_RUNNING: the guard measures what handlers cost. Their quick way in is closed then. */
enum { KT_MEASURED = 0x100 };

/* Does the session run, and the guard measure nothing? Hits ask while the state changes, which KCSAN is told. No READ_ONCE(): it would
 * be two instructions, and there is no loop to hoist it from.
 */
static __always_inline bool kt_run_quickly(void)
{
	return data_race(kt_run.state) == KT_RUNNING;
}

static inline int kt_run_state(void)
{
	return READ_ONCE(kt_run.state) & ~KT_MEASURED;
}

/* Asks for the end: after exit(), a fatal error, a signal. Context: any. */
void kt_run_ask_stop(bool failed);
/* Is arming still wanted? Not after exit(), nor when the loader wants to end or was killed: families with many probes ask
 * before each, as arming them all takes minutes. A place that is not armed then is no error. Context: of START. */
bool kt_run_starts(void);
/* Has WORK done in a thread of the kernel, and waits for its end. The current task may be one that dies: without memory, files, root
 * directory and namespaces; or a pending SIGKILL would keep the kernel from taking breakpoints out of programs. A caller that was killed
 * ends the session, and with it the work. Context: process, under kt_run.lock. */
void kt_run_in_thread(void (*work)(void));

/* Reasons why a probe is off, beside enum kt_off. */
enum kt_off_here {
	KT_OFF_CONDITION = 0x100, /* its condition does not hold */
	KT_OFF_SAID = 0x200,      /* with KT_OFF_OVERLOAD: it was reported */
};

/* Adds REASON to those why PROBE is off, or takes it away. Who sees it sees what was written before. Context: any. */
void kt_probe_set_off(u32 probe, u32 reason, bool off);
/* Returns the reasons why the places of PROBE are not to be armed now. Context: any. */
static inline u32 kt_probe_off(u32 probe)
{
	return smp_load_acquire(&kt_run.probes[probe].off);
}

/* Does irq_work that is queued here run soon? On a CPU that goes down it would stay until the CPU is back, and irq_work_sync() would
 * wait as long: nobody looks at the queue after the CPU's last interrupt, on PREEMPT_RT after its thread is parked. Both come
 * after the CPU is marked inactive. The one that suspends the machine stays active, and its interrupt controller forgets what is
 * asked for meanwhile. Context: any, on one CPU. */
static __always_inline bool kt_irq_work_runs(void)
{
	return likely(cpu_active(raw_smp_processor_id()) && system_state != SYSTEM_SUSPEND);
}

/* The reader of records sleeps here, and wakes when kt_reader_woken is set. */
extern wait_queue_head_t kt_readers;
extern bool kt_reader_woken;
/* Makes a sleeping reader look now, or when it looks anyway on a CPU that is inactive. Context: any. */
void kt_reader_wake(void);
/* Waits for wakings under way. Context: process, after all handlers have ended. */
void kt_reader_finish(void);
/* Makes everybody leave kt_readers whose file is gone: rmmod -f removes files that are open. Context: process. */
void kt_readers_leave(void);

#endif

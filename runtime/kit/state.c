/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the session, and waking its reader. */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "runtime/kit/deferred.h"
#include "runtime/kit/state.h"

struct kt_run kt_run = {
	.state = KT_LOADED,
	.lock = __MUTEX_INITIALIZER(kt_run.lock),
};

const struct kt_family_rows *kt_rows_of(enum kt_family family)
{
	static const struct kt_family_rows none;

	for (u32 i = 0; i < kt_script.n_families; i++)
		if (kt_script.families[i].family == (u32)family)
			return &kt_script.families[i];
	return &none;
}

/* ---- the reader ---- */
DECLARE_WAIT_QUEUE_HEAD(kt_readers);
bool kt_reader_woken;

static void wake_now(struct kt_deferred *d)
{
	WRITE_ONCE(kt_reader_woken, true);
	wake_up_interruptible(&kt_readers);
}

static struct kt_deferred wake = KT_DEFERRED(wake, wake_now);

__kprobes void kt_reader_wake(void)
{
	if (kt_irq_work_runs())
		kt_defer(&wake);
	else
		WRITE_ONCE(kt_reader_woken, true);
}

void kt_reader_finish(void)
{
	kt_deferred_finish(&wake);
}

static bool is_awaited(void)
{
	bool yes;

	spin_lock_irq(&kt_readers.lock);
	yes = waitqueue_active(&kt_readers);
	spin_unlock_irq(&kt_readers.lock);
	return yes;
}

void kt_readers_leave(void)
{
	while (is_awaited()) {
		wake_up_all(&kt_readers);
		msleep(1);
	}
}

/* ---- work in a thread of the kernel ---- */
enum { WORK_LOOK_MS = 200 }; /* one long wait would be reported as a hung task */

static void (*thread_work)(void);
static DECLARE_COMPLETION(thread_done);

static void thread_run(struct work_struct *work)
{
	thread_work();
	complete(&thread_done);
}

static DECLARE_WORK(thread_item, thread_run);

void kt_run_in_thread(void (*work)(void))
{
	thread_work = work;
	reinit_completion(&thread_done);
	kt_queue_unbound(&thread_item);
	while (!wait_for_completion_timeout(&thread_done, msecs_to_jiffies(WORK_LOOK_MS)))
		if (fatal_signal_pending(current))
			kt_run_ask_stop(false);
	flush_work(&thread_item); /* the thread may still be in complete(), and comes back here */
}

/* ---- the state ---- */
__kprobes void kt_run_ask_stop(bool failed)
{
	int state = READ_ONCE(kt_run.state);

	if (failed)
		WRITE_ONCE(kt_run.failed, 1);
	while (state == KT_STARTING || (state & ~KT_MEASURED) == KT_RUNNING)
		if (try_cmpxchg(&kt_run.state, &state, KT_STOPPING)) {
			kt_reader_wake();
			break;
		}
}

bool kt_run_starts(void)
{
	if (fatal_signal_pending(current))
		kt_run_ask_stop(false);
	return READ_ONCE(kt_run.state) == KT_STARTING;
}

void kt_probe_set_off(u32 probe, u32 reason, bool off)
{
	if (off)
		__atomic_fetch_or(&kt_run.probes[probe].off, reason, __ATOMIC_RELEASE);
	else
		__atomic_fetch_and(&kt_run.probes[probe].off, ~reason, __ATOMIC_RELEASE);
}

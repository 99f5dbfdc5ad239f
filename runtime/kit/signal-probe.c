/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes session.signal(NAME): the loader reports that it got a signal, and the handlers run in a task of ours. The loader does not
 * wait for them: it reads their output meanwhile. Signals of one number that come before the handlers ran are one, as always.
 */
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"

static DEFINE_SPINLOCK(signal_lock); /* holds back disarming while work is queued */
static const struct kt_signal_row *signal_rows;
static u32 n_signal_rows;            /* 0: not armed */
static atomic64_t signals_pending;   /* bit N: signal N */

static void signal_run(struct work_struct *work)
{
	u64 pending = (u64)atomic64_xchg(&signals_pending, 0);

	for (u32 i = 0; i < READ_ONCE(n_signal_rows) && kt_run_state() == KT_RUNNING; i++)
		if (pending & BIT_ULL(signal_rows[i].number))
			kt_handle_own(&kt_script.probes[signal_rows[i].probe], NULL);
}

static DECLARE_WORK(signal_work, signal_run);

void kt_signal_came(u32 number)
{
	spin_lock(&signal_lock);
	if (n_signal_rows && number < KT_SIGNALS_MAX) {
		atomic64_or((s64)BIT_ULL(number), &signals_pending);
		queue_work(system_highpri_wq, &signal_work);
	}
	spin_unlock(&signal_lock);
}

static int signal_prepare(struct kt_places *all)
{
	spin_lock(&signal_lock);
	signal_rows = kt_place_at(all, 0)->row;
	WRITE_ONCE(n_signal_rows, all->n);
	spin_unlock(&signal_lock);
	return 0;
}

static void signal_finish(struct kt_places *all)
{
	spin_lock(&signal_lock);
	WRITE_ONCE(n_signal_rows, 0);
	spin_unlock(&signal_lock);
	cancel_work_sync(&signal_work);
}

const struct kt_family_ops kt_signal_family = {
	.size = sizeof(struct kt_place),
	.row_size = sizeof(struct kt_signal_row),
	.prepare = signal_prepare,
	.finish = signal_finish,
};

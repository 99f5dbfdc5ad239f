/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probe conditions: places whose condition does not hold are disarmed.
 *
 * Handlers that change a global which a condition reads set kt_conditions_dirty. A work item looks at it ten times a
 * second, evaluates the conditions and has the families arm and disarm their places. Between the change and that moment
 * a handler's own test of the condition decides, so a script never sees a hit that it did not ask for.
 */
#include <linux/workqueue.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/session.h"

kt_u32 kt_conditions_dirty;

enum { CONDITION_INTERVAL_MS = 100 };

static void condition_tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(condition_work, condition_tick);

/* Context: process, interrupts on. A condition that raises an error counts as true: the handler raises it again. One that gave up on a
 * lock is tried again. */
static bool condition_holds(const struct kt_probe *probe)
{
	struct kt_irqs irqs = kt_irqs_off();
	struct kt_level *l;
	bool ret = true;

	l = kt_level_here(KT_LEVEL_NORMAL);
	if (!l->c.probe) {
		kt_level_enter(l, probe, NULL, 0);
		kt_arch_run(&l->below, probe->condition, &l->c);
		if (l->c.flags & KT_CTX_SKIP)
			kt_conditions_changed();
		ret = l->c.error || l->c.flags & (KT_CTX_HOLDS | KT_CTX_SKIP);
		l->c.error = NULL;
		kt_level_leave(l);
	}
	kt_irqs_restore(irqs);
	return ret;
}

/* True when a place has to be armed or disarmed. */
static bool condition_evaluate(void)
{
	bool changed = false;

	WRITE_ONCE(kt_conditions_dirty, 0);
	/* A handler that found it set has written its globals before, but to the store buffer of its CPU: nothing orders that before the
	 * look, as a barrier there would cost each hit. After an interrupt on each CPU they are seen, or the handler sees 0. */
	kick_all_cpus_sync();
	for (u32 i = 0; i < kt_script.n_probes; i++) {
		const struct kt_probe *probe = &kt_script.probes[i];
		bool off;

		if (!probe->condition)
			continue;
		off = !condition_holds(probe);
		changed |= off != !!(kt_probe_off(i) & KT_OFF_CONDITION);
		kt_probe_set_off(i, KT_OFF_CONDITION, off);
		if (i % 256 == 255)
			cond_resched();
	}
	return changed;
}

/* Under the session's lock, as starting and stopping are: nobody arms or disarms at the same time. */
static void condition_tick(struct work_struct *work)
{
	if (READ_ONCE(kt_conditions_dirty) && mutex_trylock(&kt_run.lock)) {
		if (kt_run_state() == KT_RUNNING && condition_evaluate())
			kt_families_update();
		mutex_unlock(&kt_run.lock);
	}
	schedule_delayed_work(&condition_work, msecs_to_jiffies(CONDITION_INTERVAL_MS));
}

void kt_conditions_start(void)
{
	bool any = false;

	for (u32 i = 0; i < kt_script.n_probes; i++)
		any |= kt_script.probes[i].condition != NULL;
	if (!any)
		return;
	condition_evaluate();
	schedule_delayed_work(&condition_work, msecs_to_jiffies(CONDITION_INTERVAL_MS));
}

void kt_conditions_stop(void)
{
	cancel_delayed_work_sync(&condition_work);
}

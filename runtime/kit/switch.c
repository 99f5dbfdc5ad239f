/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that the loader disarms and arms again while the session runs: KT_IOC_SWITCH.
 *
 * A disarmed probe's handler is exchanged at once, so that none starts after the call, also where a family has no places to detach.
 * Then a thread of the kernel detaches the places. The caller holds kt_run.lock for it, so a condition that changes meanwhile waits for
 * its next tick, and STOP for the end of the work, which is near once the state is KT_STOPPING.
 */
#include <linux/slab.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/session.h"

static void (**switched)(struct kt_ctx *c); /* by probe: the handler that handle_off() replaced */

/* ---- handlers ---- */
static __kprobes void handle_off(struct kt_ctx *c)
{
}

/* The overload guard may put its own handler in place at any moment. It stays. */
static void handler_switch(u32 probe, bool off)
{
	struct kt_probe *p = &kt_script.probes[probe];

	if (off == !!(kt_probe_off(probe) & KT_OFF_SWITCHED))
		return;
	if (off)
		switched[probe] = xchg(&p->handler, handle_off);
	else
		cmpxchg(&p->handler, handle_off, switched[probe]);
	kt_probe_set_off(probe, KT_OFF_SWITCHED, off);
}

/* With a return probe, switches the probe of its entry. Arming begins with the return, which wants what the entry keeps: a call that began
 * before has kept nothing. */
static void probe_switch(u32 probe, bool off)
{
	handler_switch(probe, off);
	if (probe + 1 < kt_script.n_probes && kt_script.probes[probe + 1].flags & KT_PROBE_ENTRY)
		handler_switch(probe + 1, off);
}

/* ---- places ---- */
static u32 places_refused;

static void places_follow(void)
{
	places_refused = kt_families_update();
}

int kt_switch(const u32 *probes, u32 n, bool off, u32 *ret_refused)
{
	int err = 0;

	for (u32 i = 0; i < n; i++)
		if (probes[i] >= kt_script.n_probes)
			return -ENOENT;
	if (mutex_lock_killable(&kt_run.lock))
		return -EINTR;
	if (kt_run_state() != KT_RUNNING) {
		err = -EBUSY;
	} else {
		for (u32 i = 0; i < n; i++)
			probe_switch(probes[i], off);
		kt_run_in_thread(places_follow);
		*ret_refused = places_refused;
	}
	mutex_unlock(&kt_run.lock);
	return err;
}

/* ---- life ---- */
int kt_switch_create(void)
{
	switched = kvcalloc(kt_script.n_probes + 1ul, sizeof(*switched), GFP_KERNEL);
	return switched ? 0 : -ENOMEM;
}

void kt_switch_destroy(void)
{
	kvfree(switched);
}

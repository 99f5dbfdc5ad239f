/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session: its state machine.
 *
 * LOADED -> STARTING (begin probes, then arming) -> RUNNING -> STOPPING -> STOPPED. Process context moves the state
 * under kt_run.lock; handlers only move it from STARTING or RUNNING to STOPPING. Whatever was done before a failure
 * is undone in reverse.
 */
#include <linux/file.h>
#include <linux/string.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/session.h"

/* ---- arming ---- */
static void disarm_all(void)
{
	kt_conditions_stop();
	kt_families_disarm();
	flush_delayed_fput(); /* the probed programs' files are closed when the session is over */
}

static int arm_all(void)
{
	int err;

	kt_conditions_start();
	err = kt_families_arm();
	if (err)
		kt_run_in_thread(disarm_all);
	return err;
}

/* ---- states ---- */
/* Run-time minus linked address of the kernel. */
static int find_slide(void)
{
	if (!kt_script.anchor_address)
		return 0;
	if (strcmp(kt_script.anchor_symbol, KT_ANCHOR_NAME))
		return -EINVAL;
	kt_run.slide = (unsigned long)kt_anchor - (unsigned long)kt_script.anchor_address;
	/* Relocation moves the kernel by whole pages. Any other distance means that the addresses are another
	 * kernel's. */
	return kt_run.slide & ~PAGE_MASK ? -ENOEXEC : 0;
}

int kt_session_start(const struct kt_start *start)
{
	int err;

	mutex_lock(&kt_run.lock);
	if (kt_run_state() != KT_LOADED) {
		mutex_unlock(&kt_run.lock);
		return -EBUSY;
	}
	err = find_slide();
	if (!err) {
		kt_run.target = start->target;
		kt_run.tz_west = start->tz_west;
		strscpy(kt_run.tz_name, start->tz_name, sizeof(kt_run.tz_name));
		kt_loader_start();
		err = start->count ? kt_ledger_count_handled(start->count) : 0;
	}
	err = err ?: kt_targets_start() ?: kt_rings_follow();
	if (!err) {
		kt_unwind_start();
		WRITE_ONCE(kt_run.state, KT_STARTING);
		kt_life_run(KT_LIFE_BEGIN);
		if (READ_ONCE(kt_run.state) == KT_STARTING)
			err = arm_all();
	}
	if (err) {
		WRITE_ONCE(kt_run.failed, 1);
		WRITE_ONCE(kt_run.state, KT_STOPPED);
		kt_cpus_unfollow();
		kt_targets_stop();
		kt_loader_stop();
	} else {
		if (cmpxchg(&kt_run.state, KT_STARTING, KT_RUNNING) == KT_STARTING) {
			kt_process_tell();
			kt_guard_start();
		}
	}
	mutex_unlock(&kt_run.lock);
	return err;
}

void kt_session_stop(bool probes)
{
	mutex_lock(&kt_run.lock);
	if (kt_run_state() == KT_LOADED) {
		WRITE_ONCE(kt_run.state, KT_STOPPED);
	} else if (kt_run_state() != KT_STOPPED) {
		xchg(&kt_run.state, KT_STOPPING);
		kt_cpus_unfollow();
		kt_guard_finish();
		kt_run_in_thread(disarm_all);
		if (probes)
			kt_life_run(READ_ONCE(kt_run.failed) ? KT_LIFE_ERROR : KT_LIFE_END);
		kt_targets_stop();
		kt_loader_stop();
		WRITE_ONCE(kt_run.state, KT_STOPPED);
	}
	mutex_unlock(&kt_run.lock);
}

void kt_session_status(struct kt_status *ret)
{
	*ret = (struct kt_status){
		.state = kt_run_state(),
		.failed = READ_ONCE(kt_run.failed),
		.errors = atomic64_read(&kt_run.errors),
		.exit_code = READ_ONCE(kt_run.exit_code),
		.probes_found = READ_ONCE(kt_run.found),
		.probes_armed = (u32)atomic_read(&kt_run.armed),
		.probes_failed = (u32)atomic_read(&kt_run.refused),
		.probes_overload = READ_ONCE(kt_run.overloads),
		.load = kt_guard_load(),
	};
	kt_contexts_count(ret);
	kt_ledger_sum(ret);
	/* Families may come and go under the lock; while a begin probe runs there is nothing to count. */
	if (!mutex_trylock(&kt_run.lock))
		return;
	kt_families_count(ret);
	mutex_unlock(&kt_run.lock);
}

int kt_session_set_global(const struct kt_set_global *set, const char *string)
{
	const struct kt_global_row *g = &kt_script.globals[set->index];
	int err;

	mutex_lock(&kt_run.lock);
	err = kt_run_state() != KT_LOADED ? -EBUSY : !g->is_string && !set->is_number ? -EDOM : 0;
	if (!err && g->is_string)
		err = strscpy(g->value, string, kt_script.string_max) < 0 ? -E2BIG : 0;
	else if (!err)
		*(kt_s64 *)g->value = set->number;
	mutex_unlock(&kt_run.lock);
	return err;
}

kt_u64 kt_relocate(kt_u64 address)
{
	return address + kt_run.slide;
}

/* Where per-CPU variables are linked from 0 on, as on x86-64, they do not move with the kernel. */
__kprobes kt_u64 kt_this_cpu(kt_u64 address)
{
	return per_cpu_offset(raw_smp_processor_id()) + ((s64)address < 0 ? kt_relocate(address) : address);
}

__kprobes kt_u64 kt_cpu_copy(struct kt_ctx *c, kt_u64 address, kt_s64 cpu)
{
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible((unsigned int)cpu)) {
		kt_errorf(c, "there is no CPU %d", cpu);
		return 0;
	}
	return address - per_cpu_offset(raw_smp_processor_id()) + per_cpu_offset((int)cpu);
}

__kprobes kt_u64 kt_thread_pointer(void)
{
	return current->mm && !(current->flags & PF_KTHREAD) ? kt_arch_thread_pointer() : 0;
}

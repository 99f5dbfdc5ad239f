/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session: from load to unload, its state machine, and the table of families.
 *
 * LOADED -> STARTING (begin probes, then arming) -> RUNNING -> STOPPING -> STOPPED. Process context moves the state
 * under kt_session.lock; handlers only move it from STARTING or RUNNING to STOPPING. Whatever was done before a failure
 * is undone in reverse.
 */
#include <linux/completion.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "runtime/kit/kit.h"

struct kt_session kt_session = {
	.state = KT_LOADED,
	.lock = __MUTEX_INITIALIZER(kt_session.lock),
};

static const struct kt_family_ops *const families[KT_FAMILY_COUNT] = {
#define FAMILY(id, name, flags, points) [KT_FAMILY_##id] = &kt_##name##_family,
#include "runtime/families.def"
#undef FAMILY
};
enum { DISARM_WAIT_S = 10 };

static u32 families_armed; /* rows of kt_script.families that are armed */

static const char *const state_names[] = {
	[KT_LOADED] = "loaded",
	[KT_STARTING] = "starting",
	[KT_RUNNING] = "running",
	[KT_STOPPING] = "stopping",
	[KT_STOPPED] = "stopped",
};

/* ---- families ---- */
static const struct kt_family_ops *family_of(const struct kt_family_rows *rows)
{
	return rows->family < KT_FAMILY_COUNT ? families[rows->family] : NULL;
}

static DECLARE_COMPLETION(disarmed);

static void disarm_now(struct work_struct *work)
{
	kt_conditions_stop();
	while (families_armed > 0) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[--families_armed]);

		if (ops->disarm)
			ops->disarm();
	}
	flush_delayed_fput(); /* the probed programs' files are closed when the session is over */
	complete(&disarmed);
}

static DECLARE_WORK(disarm_work, disarm_now);

/* Disarms all families, in a thread of the kernel. The current task may be one that dies: without memory, files, root
 * directory and namespaces; or a pending SIGKILL would keep the kernel from taking breakpoints out of programs. Needs the
 * session's lock. */
static void disarm_all(void)
{
	reinit_completion(&disarmed);
	queue_work(system_unbound_wq, &disarm_work);
	/* One long wait would be reported as a hung task. */
	while (!wait_for_completion_timeout(&disarmed, DISARM_WAIT_S * HZ))
		;
}

static int arm_all(void)
{
	int err = kt_conditions_start();

	if (err)
		return err;
	for (u32 i = 0; i < kt_script.n_families && kt_session_starts(); i++) {
		const struct kt_family_rows *rows = &kt_script.families[i];
		const struct kt_family_ops *ops = family_of(rows);

		if (!ops)
			err = -EPROTONOSUPPORT;
		else if (ops->arm)
			err = ops->arm(rows);
		if (err) {
			disarm_all();
			return err;
		}
		families_armed = i + 1;
	}
	return 0;
}

u32 kt_session_rows(void)
{
	u32 n = 0;

	for (u32 i = 0; i < kt_script.n_families; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		n += ops && ops->arm ? kt_script.families[i].n : 0;
	}
	return n;
}

void kt_session_update(void)
{
	for (u32 i = 0; i < families_armed; i++) {
		const struct kt_family_ops *ops = family_of(&kt_script.families[i]);

		if (ops->update)
			ops->update();
	}
}

void kt_session_refused(u32 probe, int error)
{
	kt_session.probes[probe].error = error;
	kt_session.refused++;
}

/* ---- states ---- */
__kprobes void kt_session_ask_stop(bool failed)
{
	int state = READ_ONCE(kt_session.state);

	if (failed)
		WRITE_ONCE(kt_session.failed, 1);
	while (state == KT_STARTING || (state & ~KT_MEASURED) == KT_RUNNING)
		if (try_cmpxchg(&kt_session.state, &state, KT_STOPPING)) {
			kt_control_wake();
			break;
		}
}

/* Run-time minus linked address of the kernel. */
static int find_slide(void)
{
	if (!kt_script.anchor_address)
		return 0;
	if (strcmp(kt_script.anchor_symbol, "_printk"))
		return -EINVAL;
	kt_session.slide = (unsigned long)_printk - (unsigned long)kt_script.anchor_address;
	/* Relocation moves the kernel by whole pages. Any other distance means that the addresses are another
	 * kernel's. */
	return kt_session.slide & ~PAGE_MASK ? -ENOEXEC : 0;
}

bool kt_session_starts(void)
{
	if (fatal_signal_pending(current))
		kt_session_ask_stop(false);
	return READ_ONCE(kt_session.state) == KT_STARTING;
}

int kt_session_start(const struct kt_start *start)
{
	int err;

	mutex_lock(&kt_session.lock);
	if (kt_session.state != KT_LOADED) {
		mutex_unlock(&kt_session.lock);
		return -EBUSY;
	}
	err = find_slide();
	if (!err) {
		kt_session.target = start->target;
		kt_session.tz_west = start->tz_west;
		strscpy(kt_session.tz_name, start->tz_name, sizeof(kt_session.tz_name));
		kt_loader_start();
		err = start->count ? kt_ledger_count_handled(start->count) : 0;
	}
	if (!err) {
		err = kt_targets_start();
	}
	if (!err && kt_rings_lack())
		err = kt_cpus_follow();
	if (!err) {
		WRITE_ONCE(kt_session.state, KT_STARTING);
		kt_life_run(KT_LIFE_BEGIN);
		if (READ_ONCE(kt_session.state) == KT_STARTING)
			err = arm_all();
	}
	if (err) {
		WRITE_ONCE(kt_session.failed, 1);
		WRITE_ONCE(kt_session.state, KT_STOPPED);
		kt_cpus_unfollow();
		kt_targets_stop();
		kt_loader_stop();
	} else {
		if (cmpxchg(&kt_session.state, KT_STARTING, KT_RUNNING) == KT_STARTING) {
			kt_process_tell();
			kt_guard_start();
		}
	}
	mutex_unlock(&kt_session.lock);
	return err;
}

void kt_session_stop(bool probes)
{
	mutex_lock(&kt_session.lock);
	if (kt_session.state == KT_LOADED) {
		WRITE_ONCE(kt_session.state, KT_STOPPED);
	} else if (kt_session.state != KT_STOPPED) {
		xchg(&kt_session.state, KT_STOPPING);
		kt_cpus_unfollow();
		kt_guard_finish();
		disarm_all();
		if (probes)
			kt_life_run(READ_ONCE(kt_session.failed) ? KT_LIFE_ERROR : KT_LIFE_END);
		kt_targets_stop();
		kt_loader_stop();
		WRITE_ONCE(kt_session.state, KT_STOPPED);
	}
	mutex_unlock(&kt_session.lock);
}

void kt_session_status(struct kt_status *ret)
{
	*ret = (struct kt_status){
		.state = kt_session_state(),
		.failed = READ_ONCE(kt_session.failed),
		.errors = atomic64_read(&kt_session.errors),
		.exit_code = READ_ONCE(kt_session.exit_code),
		.probes_armed = READ_ONCE(kt_session.armed),
		.probes_failed = READ_ONCE(kt_session.refused),
		.probes_overload = READ_ONCE(kt_session.overloads),
	};
	kt_contexts_count(ret);
	kt_ledger_sum(ret);
	/* Families may come and go under the lock; while a begin probe runs there is nothing to count. */
	if (!mutex_trylock(&kt_session.lock))
		return;
	for (u32 i = 0; i < KT_FAMILY_COUNT; i++)
		if (families[i]->count)
			families[i]->count(ret);
	mutex_unlock(&kt_session.lock);
}

int kt_session_set_global(const struct kt_set_global *set)
{
	int err = -ENOENT;

	mutex_lock(&kt_session.lock);
	for (u32 i = 0; i < kt_script.n_globals; i++) {
		const struct kt_global_row *g = &kt_script.globals[i];

		if (strncmp(g->name, set->name, sizeof(set->name)))
			continue;
		err = kt_session.state != KT_LOADED ? -EBUSY : !g->is_string && !set->is_number ? -EDOM : 0;
		if (!err && g->is_string)
			strscpy(g->value, set->string, min_t(size_t, kt_script.string_max, sizeof(set->string)));
		else if (!err)
			*(kt_s64 *)g->value = set->number;
	}
	mutex_unlock(&kt_session.lock);
	return err;
}

kt_u64 kt_relocate(kt_u64 address)
{
	return address + kt_session.slide;
}

/* Where per-CPU variables are linked from 0 on, as on x86-64, they do not move with the kernel. */
__kprobes kt_u64 kt_this_cpu(kt_u64 address)
{
	return per_cpu_offset(raw_smp_processor_id()) + ((s64)address < 0 ? kt_relocate(address) : address);
}

__kprobes kt_u64 kt_thread_pointer(void)
{
	return current->mm && !(current->flags & PF_KTHREAD) ? kt_arch_thread_pointer() : 0;
}

/* ---- the module ---- */
static int state_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", state_names[kt_session_state()]);
}

static const struct kernel_param_ops state_ops = { .get = state_get };
module_param_cb(ktap_state, &state_ops, NULL, 0444);
MODULE_PARM_DESC(ktap_state, "state of the session");

static int __init kt_init(void)
{
	int err;

	if (kt_script.abi != KT_ABI || !kt_script_stack)
		return -ENOEXEC;
	kt_mem_init();
	kt_session.probes = kvcalloc(kt_script.n_probes + 1, sizeof(*kt_session.probes), GFP_KERNEL);
	if (!kt_session.probes)
		return -ENOMEM;
	err = kt_ledger_create();
	if (err)
		goto free_probes;
	err = kt_usermem_create();
	if (err)
		goto free_ledger;
	err = kt_unwind_create();
	if (err)
		goto free_usermem;
	err = kt_contexts_create();
	if (err)
		goto free_unwind;
	kt_signals_start();
	err = kt_timing_create();
	if (err)
		goto free_contexts;
	err = kt_guard_create();
	if (err)
		goto free_timing;
	err = kt_rings_create(kt_script.buffer_size);
	if (err)
		goto free_guard;
	if (kt_script.init)
		err = kt_script.init();
	if (err)
		goto exit_script; /* exit() follows a failed init() too */
	err = kt_modules_create();
	if (err)
		goto exit_script;
	err = kt_control_create();
	if (err)
		goto destroy_modules;
	return 0;
destroy_modules:
	kt_modules_destroy();
exit_script:
	if (kt_script.exit)
		kt_script.exit();
	kt_rings_destroy();
free_guard:
	kt_guard_destroy();
free_timing:
	kt_timing_destroy();
free_contexts:
	kt_contexts_destroy();
free_unwind:
	kt_unwind_destroy();
free_usermem:
	kt_usermem_destroy();
free_ledger:
	kt_ledger_destroy();
free_probes:
	kvfree(kt_session.probes);
	return err;
}

static void __exit kt_exit(void)
{
	kt_control_destroy();
	kt_session_stop(false);
	kt_modules_destroy();
	if (kt_script.exit)
		kt_script.exit();
	kt_rings_destroy();
	kt_guard_destroy();
	kt_timing_destroy();
	kt_signals_finish();
	kt_contexts_destroy();
	kt_unwind_destroy();
	kt_usermem_destroy();
	kt_ledger_destroy();
	kvfree(kt_session.probes);
}

module_init(kt_init);
module_exit(kt_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a ktap session");
MODULE_INFO(ktap, "abi=" KT_ABI_TEXT);

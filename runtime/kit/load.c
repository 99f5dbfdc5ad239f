/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load and unload: this file calls all others, and no other calls it. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "runtime/core/probes.h"
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"
#include "runtime/kit/session.h"

static struct kt_places families[KT_FAMILY_COUNT] = {
#define FAMILY(id, name, flags, points) [KT_FAMILY_##id] = KT_PLACES(families[KT_FAMILY_##id], kt_##name##_family),
#include "runtime/families.def"
#undef FAMILY
};

static const char *const state_names[] = {
	[KT_LOADED] = "loaded",
	[KT_STARTING] = "starting",
	[KT_RUNNING] = "running",
	[KT_STOPPING] = "stopping",
	[KT_STOPPED] = "stopped",
};

static int state_get(char *buf, const struct kernel_param *kp)
{
	int state = kt_run_state();

	return sysfs_emit(buf, "%s\n", state == KT_STOPPED && READ_ONCE(kt_run.stays) ? "stays" : state_names[state]);
}

static const struct kernel_param_ops state_ops = { .get = state_get };
module_param_cb(ktap_state, &state_ops, NULL, 0444);
MODULE_PARM_DESC(ktap_state, "state of the session");

static int load_get(char *buf, const struct kernel_param *kp)
{
	return kt_guard_show(buf);
}

static const struct kernel_param_ops load_ops = { .get = load_get };
module_param_cb(ktap_load, &load_ops, NULL, 0444);
MODULE_PARM_DESC(ktap_load, "load of the session's handlers on each CPU");
module_param_named(ktap_output, kt_output, uint, 0444);
MODULE_PARM_DESC(ktap_output, "bits of enum kt_output: where records wait for the reader");

static int probes_create(void)
{
	kt_probes_fill(&kt_script);
	kt_run.probes = kvcalloc(kt_script.n_probes + 1, sizeof(*kt_run.probes), GFP_KERNEL);
	return kt_run.probes ? 0 : -ENOMEM;
}

static void probes_destroy(void)
{
	kvfree(kt_run.probes);
}

static int script_create(void)
{
	return kt_script.init ? kt_script.init() : 0;
}

static void script_destroy(void)
{
	if (kt_script.exit)
		kt_script.exit();
}

static int modules_create(void)
{
	return kt_modules_create(kt_lines_forget);
}

static u64 probes_bytes(void)
{
	return (u64)kt_script.n_probes * sizeof(*kt_run.probes);
}

static u64 script_bytes(void)
{
	return kt_script.memory + kt_script.memory_per_cpu * num_possible_cpus();
}

/* Loading creates these in order, unloading destroys them in reverse. A step that failed is destroyed, too. Those that
 * allocate much say how much before. CONFIG_RANDSTRUCT changes the order of function pointers that fill a structure. */
static const struct {
	int (*create)(void);
	void (*destroy)(void);
	u64 (*bytes)(void);
} __designated_init load_steps[] = {
	{ .create = probes_create, .destroy = probes_destroy, .bytes = probes_bytes },
	{ .create = kt_ledger_create, .destroy = kt_ledger_destroy },
	{ .create = kt_unwind_create, .destroy = kt_unwind_destroy },
	{ .create = kt_contexts_create, .destroy = kt_contexts_destroy, .bytes = kt_contexts_bytes },
	{ .create = kt_timing_create, .destroy = kt_timing_destroy, .bytes = kt_timing_bytes },
	{ .create = kt_guard_create, .destroy = kt_guard_destroy, .bytes = kt_guard_bytes },
	{ .create = kt_switch_create, .destroy = kt_switch_destroy },
	{ .create = kt_rings_create, .destroy = kt_rings_destroy, .bytes = kt_rings_bytes },
	{ .create = script_create, .destroy = script_destroy, .bytes = script_bytes },
	{ .create = modules_create, .destroy = kt_modules_destroy },
	{ .create = kt_cpu_files_create, .destroy = kt_cpu_files_destroy },
	{ .create = kt_control_create, .destroy = kt_control_destroy },
};

static void destroy(u32 n)
{
	while (n > 0)
		load_steps[--n].destroy();
}

/* Each allocation alone would find memory that the next ones need. */
static bool memory_suffices(void)
{
	u64 sum = 0;

	for (u32 i = 0; i < ARRAY_SIZE(load_steps); i++)
		sum += load_steps[i].bytes ? load_steps[i].bytes() : 0;
	return kt_memory_for(sum);
}

static int __init kt_init(void)
{
	int err = 0;

	if (kt_script.abi != KT_ABI || !kt_script_stack)
		return -ENOEXEC;
	if (!memory_suffices())
		return -ENOMEM;
	kt_families_use(families);
	kt_mem_init();
	kt_hash_seed = get_random_u64();
	for (u32 i = 0; i < ARRAY_SIZE(load_steps) && !err; i++) {
		err = load_steps[i].create();
		if (err)
			destroy(i + 1);
	}
	return err;
}

static void __exit kt_exit(void)
{
	destroy(ARRAY_SIZE(load_steps));
}

module_init(kt_init);
module_exit(kt_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a ktap session");
MODULE_INFO(ktap, "abi=" KT_ABI_TEXT);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load and unload: this file calls all others, and no other calls it. The steps before a failure are undone in
 * reverse.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"
#include "runtime/kit/session.h"

#define FAMILY(id, name, flags, points) extern const struct kt_family_ops kt_##name##_family;
#include "runtime/families.def"
#undef FAMILY
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
	return sysfs_emit(buf, "%s\n", state_names[kt_run_state()]);
}

static const struct kernel_param_ops state_ops = { .get = state_get };
module_param_cb(ktap_state, &state_ops, NULL, 0444);
MODULE_PARM_DESC(ktap_state, "state of the session");

static int __init kt_init(void)
{
	int err;

	if (kt_script.abi != KT_ABI || !kt_script_stack)
		return -ENOEXEC;
	kt_families_use(families);
	kt_mem_init();
	kt_run.probes = kvcalloc(kt_script.n_probes + 1, sizeof(*kt_run.probes), GFP_KERNEL);
	if (!kt_run.probes)
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
	err = kt_switch_create();
	if (err)
		goto free_guard;
	err = kt_rings_create(kt_script.buffer_size);
	if (err)
		goto free_switch;
	if (kt_script.init)
		err = kt_script.init();
	if (err)
		goto exit_script; /* exit() follows a failed init() too */
	err = kt_modules_create(kt_lines_forget);
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
free_switch:
	kt_switch_destroy();
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
	kvfree(kt_run.probes);
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
	kt_switch_destroy();
	kt_guard_destroy();
	kt_timing_destroy();
	kt_signals_finish();
	kt_contexts_destroy();
	kt_unwind_destroy();
	kt_usermem_destroy();
	kt_ledger_destroy();
	kvfree(kt_run.probes);
}

module_init(kt_init);
module_exit(kt_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a ktap session");
MODULE_INFO(ktap, "abi=" KT_ABI_TEXT);

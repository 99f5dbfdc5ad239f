/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/vehicle.h"

#include <string.h>
#include <sys/utsname.h>

#include "cli/obstacles.h"
#include "cli/options.h"
#include "lib/arena.h"
#include "lib/paths.h"
#include "translator/debuginfo/target.h"
#include "translator/machine/machine.h"
#include "translator/module/build.h"

bool vehicle_check(const struct options *opt)
{
	const char *refused = opt->runtime != RUNTIME_BPF ? NULL : opt->bulk ? "-b" : opt->buffer_mb ? "-s" : opt->control ? "--control" :
			      opt->bundle ? "--bundle" : opt->transport && strcmp(opt->transport, "ring") ? "--transport" : NULL;

	if (!refused)
		return true;
	error(nowhere, DIAG_BPF, "%s cannot be done with BPF programs", refused);
	if (opt->no_module)
		note(nowhere, "no module can be %s: %s", opt->no_build ? "built" : "loaded", opt->no_module->found);
	else
		note(nowhere, "--runtime=kernel, which loads a module, can");
	return false;
}

bool vehicle_bpf_here(void)
{
	struct module_rules rules;
	bool ok;

	module_rules_read(&rules, system_root());
	ok = !obstacle_bpf(&rules).found;
	module_rules_deinit(&rules);
	return ok;
}

/* Why no module can be built for K, the kernel RELEASE. -B may name another compiler, and other machines and clang have theirs. */
static struct obstacle build_obstacle(const struct options *opt, const char *release, const struct kernel *k)
{
	struct obstacle o = obstacle_headers(release, k);

	if (!o.found && !opt->make && k->machine == machine_host() && !kernel_config(k, "CC_IS_CLANG"))
		o = obstacle_compiler(kit_compiler(k), false);
	return o;
}

static void warn(const struct options *opt)
{
	warning(nowhere, DIAG_BPF, "cannot %s modules: %s; the script runs as BPF programs, which lack some constructs and count fewer losses: "
		"see ktap-bpf(7) (--runtime=bpf says so)", opt->no_build ? "build" : "load", opt->no_module->found);
}

void vehicle_choose(struct options *opt)
{
	const struct kernel *k;
	struct module_rules rules;
	struct obstacle o = { 0 }, bpf = { 0 }, *kept;
	struct utsname u;
	struct trial trial;

	if (opt->runtime != RUNTIME_AUTO)
		return;
	opt->runtime = RUNTIME_KERNEL;
	if (opt->last_pass < 5 || opt->language_server || opt->vm_exec)
		return;
	uname(&u);
	trial_begin(NULL, &trial, TRIAL_DROPS);
	k = kernel_find(NULL, opt->release);
	trial_end(&trial);
	module_rules_read(&rules, system_root());
	if (!opt->vm) {
		o = obstacle_loading(&rules, u.release, opt->force_taint, opt->sign_key);
		bpf = obstacle_bpf(&rules);
	}
	opt->no_build = !o.found;
	if (!o.found)
		o = build_obstacle(opt, k ? k->release : opt->release ? opt->release : u.release, k);
	module_rules_deinit(&rules);
	opt->loads = !opt->vm && !o.found;
	if (!o.found)
		return;
	kept = arena_new(&program_arena, struct obstacle);
	*kept = o;
	opt->no_module = kept;
	if (bpf.found)
		return;
	opt->runtime = RUNTIME_BPF;
	warn(opt);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that exclude or need one another. */
#include "cli/option-checks.h"

#include <string.h>

#include "cli/host.h"
#include "cli/option-values.h"
#include "cli/options.h"

enum { SNAPSHOT_DEFAULT_MS = 1000 }; /* of views */

bool option_live(const struct options *opt)
{
	return opt->live.monitor || opt->live.prometheus || opt->live.notify || opt->live.otlp;
}

char option_keeps_files(const struct options *opt)
{
	return opt->flight ? 'F' : opt->rotation ? 'S' : opt->bulk && opt->runtime != RUNTIME_USER ? 'b' : 0;
}

/* Views of a running session read its objects. */
static bool prepare_live(struct options *opt)
{
	if (!option_live(opt))
		return true;
	if (opt->folded)
		return usage_error("--folded is for globals at the end: it cannot go with a view of the running session");
	if (option_keeps_files(opt))
		return usage_error("-%c cannot go with a view of the running session, which reads the output", option_keeps_files(opt));
	if (opt->no_autoprint)
		return usage_error("--no-global-var-display cannot go with a view of the running session, which shows globals");
	if (opt->live.monitor && opt->json && !opt->output)
		return usage_error("--monitor shows the session on the terminal: -f json needs -o FILE with it");
	opt->live.json = opt->json;
	opt->live.prints = !opt->live.monitor || opt->output;
	opt->json = true;
	if (opt->live.monitor)
		opt->control = opt->timing = opt->quiet = true;
	if (opt->live.monitor && !opt->timestamps)
		opt->timestamps = "mono";
	if (!opt->snapshot_ms)
		opt->snapshot_ms = SNAPSHOT_DEFAULT_MS;
	return true;
}

/* Options that say what one session on this machine does. */
static bool check_remote(struct options *opt)
{
	if (opt->merge && !opt->n_remotes)
		return usage_error("--merge needs --remote or --hosts");
	if (!opt->n_remotes)
		return true;
	if (opt->vm || opt->release || option_keeps_files(opt))
		return usage_error("-%s cannot go with --remote: sessions are on other machines", opt->vm ? "-vm" : opt->release ? "r" :
				   (const char[]){ option_keeps_files(opt), 0 });
	if (opt->last_pass < 5 || opt->list || opt->dump || opt->language_server)
		return usage_error("--remote runs a script: listings and -p need -r RELEASE instead");
	if (opt->merge && opt->folded)
		return usage_error("--merge and --folded exclude each other: both say how globals are printed");
	if (option_live(opt) && (opt->n_remotes > 1 || opt->merge))
		return usage_error("%s shows one session: give one --remote, without --merge, and run ktap once for each machine",
				   opt->live.monitor ? "--monitor" : opt->live.prometheus ? "--prometheus" : opt->live.otlp ? "--otlp" : "--notify");
	if (opt->snapshot_ms && opt->merge)
		return usage_error("--snapshots and --merge exclude each other: only the last values of globals are merged");
	opt->merge_text = opt->merge && !opt->json;
	opt->json |= opt->merge;
	return true;
}

/* --bundle builds modules and runs nothing. */
static bool check_bundle(struct options *opt)
{
	if (!opt->bundle)
		return true;
	if (opt->vm || opt->n_remotes || opt->runtime == RUNTIME_USER)
		return usage_error("--bundle writes modules for kernels of -r: it cannot go with --%s", opt->vm ? "vm" :
				   opt->n_remotes ? "remote" : "runtime=user");
	if (opt->last_pass < 4 || opt->list || opt->dump || opt->language_server)
		return usage_error("--bundle builds a script: it cannot go with listings and -p");
	if (opt->command || opt->target || opt->seconds || opt->output || option_live(opt))
		return usage_error("-%s is for a session, which --bundle does not run: give it to ktaprun", opt->command ? "c" :
				   opt->target ? "x" : opt->seconds ? "T" : opt->output ? "o" : "-monitor, --prometheus, --otlp or --notify");
	opt->last_pass = 4;
	return true;
}

/* Conflicts between options. */
static bool check_together(const struct options *opt)
{
	bool user = opt->runtime == RUNTIME_USER;

	if ((opt->vm_memory || opt->vm_cpus || opt->vm_network || opt->vm_root) && !opt->vm)
		return usage_error("--vm-%s needs --vm", opt->vm_memory ? "memory" : opt->vm_cpus ? "cpus" :
				   opt->vm_root ? "root" : "network");
	if (user && opt->vm)
		return usage_error("--runtime=user runs in a process: it cannot go with --vm");
	if (opt->endless && !opt->guru)
		return usage_error("--suppress-time-limits needs -g: a handler without end would stop the system");
	if (opt->flight && !opt->output)
		return usage_error("-F needs -o FILE: what is recorded goes to files, of which -S MB,N keeps the last");
	if (opt->rotation && !opt->output)
		return usage_error("-S needs -o FILE");
	if (user && option_keeps_files(opt))
		return usage_error("-%c is for scripts in the kernel: --runtime=user ends with its terminal", option_keeps_files(opt));
	if (user && opt->transport)
		return usage_error("--transport is for scripts in the kernel: those of --runtime=user print themselves");
	if (opt->snapshot_ms && !opt->json)
		return usage_error("--snapshots needs -f json: snapshots are objects");
	if (opt->json && opt->folded)
		return usage_error("--folded and -f json exclude each other: both say how globals are printed");
	if (opt->bulk && (opt->flight || opt->rotation || opt->json || opt->timestamps))
		return usage_error("-b writes records that are not formatted: -F, -S, -f json and --timestamps cannot go with it");
	if (user && opt->sign_key)
		return usage_error("--sign-module is for scripts in the kernel: --runtime=user loads no module");
	if (opt->flight && opt->vm)
		return usage_error("-F cannot go with --vm: the machine ends with this program");
	if (option_keeps_files(opt) && opt->vm)
		return usage_error("-%c cannot go with --vm: files of the guest end with it", option_keeps_files(opt));
	return true;
}

/* One machine that is this one is a run without --remote. */
static void drop_direct(struct options *opt)
{
	if (opt->n_remotes == 1 && !opt->merge && opt->remotes->kind == REMOTE_DIRECT)
		opt->n_remotes = 0;
}

bool options_check(struct options *opt)
{
	drop_direct(opt);
	return check_remote(opt) && check_bundle(opt) && prepare_live(opt) && check_together(opt);
}

/* Commands come on standard input. */
bool options_check_input(const struct options *opt)
{
	if (opt->control && opt->flight)
		return usage_error("--control reads standard input, which a session of -F does not have");
	return !opt->control || !opt->script_file || strcmp(opt->script_file, "-") ||
	       usage_error("--%s reads standard input: give the script as a file or with -e", opt->live.monitor ? "monitor" : "control");
}

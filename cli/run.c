/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: ktaprun with the module, on this kernel or in the throwaway VM; or the program of --runtime=user.
 *
 * Which kernel a run is for is settled before pass 1 by run_choose_kernel(), since %( kernel_v %) and probe points
 * depend on it.
 */
#include "cli/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/obstacles.h"
#include "cli/options.h"
#include "cli/stap.h"
#include "cli/vehicle.h"
#include "cli/vm/host.h"
#include "cli/vm/root.h"
#include "cli/vm/vm.h"
#include "lib/interrupt.h"
#include "lib/limits.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/process.h"
#include "lib/status.h"
#include "translator/debuginfo/target.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

static void add(struct command *cmd, const char *word)
{
	if (cmd->n < COMMAND_MAX)
		cmd->argv[cmd->n++] = word;
}

static void add_word(const char *word, void *cmd)
{
	add(cmd, word);
}

static void add_option(struct command *cmd, const char *option, const char *value)
{
	if (value) {
		add(cmd, option);
		add(cmd, value);
	}
}

/* Does ktap write the file of -o? The guest's files are not this machine's, a program has no -o, and views change the output. */
static bool takes_output(const struct options *opt)
{
	return opt->vm || opt->runtime == RUNTIME_USER || option_live(opt) || opt->n_remotes;
}

void run_options(struct command *cmd, const struct options *opt)
{
	for (int i = 1; i < opt->verbose; i++)
		add(cmd, "-v");
	if ((opt->verbose == 1 && !stap_is_name(opt->called_as)) || opt->snapshot_ms)
		add(cmd, "--ledger");
	if (opt->json)
		add_option(cmd, "-f", "json");
	if (diag_process()->no_warnings)
		add(cmd, "-w");
	if (opt->runtime != RUNTIME_USER && opt->quiet)
		add(cmd, "-q");
	else if (opt->runtime != RUNTIME_USER && opt->vm && status_is_on())
		add(cmd, "--status");
	if (!takes_output(opt))
		add_option(cmd, "-o", opt->output);
	options_given(opt, add_word, cmd);
}

/* ktaprun with the module; a program of --runtime=user takes the same options. */
static void loader_command(struct command *cmd, const struct options *opt, const char *module)
{
	add(cmd, opt->runtime == RUNTIME_USER ? module : own_file("ktaprun", KTAP_SBINDIR));
	run_options(cmd, opt);
	if (opt->runtime != RUNTIME_USER)
		add(cmd, module);
}

/* Checks that the process of -x still runs: another one may have its number by now. */
static bool target_runs(const struct options *opt)
{
	return !process_has_ended(opt->target_process) ||
	       error(nowhere, DIAG_USAGE, "-x: process %d ended while the script was compiled", opt->target);
}

/* A program of --runtime=user keeps the limits that ktap has made. */
static int exec_command(const struct command *cmd, const struct options *opt)
{
	if (!target_runs(opt))
		return 1;
	if (opt->runtime != RUNTIME_USER)
		limits_restore(opt->limits);
	if (stap_is_name(opt->called_as) && opt->verbose)
		return stap_run(cmd->argv);
	interrupt_hand_over();
	execv(cmd->argv[0], (char *const *)cmd->argv);
	error(nowhere, DIAG_RUN, "cannot start %s: %s", cmd->argv[0], strerror(errno));
	if (opt->runtime == RUNTIME_USER)
		note(nowhere, "the directory of temporary files must allow programs, and the umask the owner's rights: try --tmpdir=DIR, or umask 022");
	else
		note(nowhere, "is ktap installed completely? 'make install' puts ktaprun there");
	return 1;
}

/* -o becomes our standard output. */
static bool redirect_output(const char *pattern)
{
	int fd = create_output(pattern, NULL, NULL);

	return fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && !close(fd);
}

static int run_in_vm(const struct options *opt, const char *const *argv)
{
	struct vm_options vm = {
		.host = opt->vm_host,
		.release = opt->release,
		.root = opt->guest_root,
		.argv = argv,
		.memory_mb = opt->vm_memory,
		.cpus = opt->vm_cpus,
		.network = opt->vm_network,
		.verbose = opt->verbose > 2,
	};
	int status;

	return vm_run(&vm, &status) ? status : 1;
}

struct run {
	const struct options *opt;
	struct command cmd;
};

static int run_session(void *run)
{
	const struct run *s = run;
	bool vm = s->opt->vm && s->opt->runtime != RUNTIME_USER;

	return vm ? run_in_vm(s->opt, s->cmd.argv) : exec_command(&s->cmd, s->opt);
}

int run_module(const struct options *opt, const char *module, int fd)
{
	struct run s = { .opt = opt };

	if (!opt->vm && fd >= 0 && !fcntl(fd, F_SETFD, 0))
		module = arena_printf(&program_arena, "/proc/self/fd/%d", fd);
	loader_command(&s.cmd, opt, module);
	if (takes_output(opt) && opt->output && !redirect_output(opt->output))
		return 1;
	return option_live(opt) ? live_run(&opt->live, run_session, &s) : run_session(&s);
}

int run_vm_command(const struct options *opt)
{
	const char *const argv[] = { "/bin/sh", "-c", opt->vm_exec, NULL };

	return run_in_vm(opt, argv);
}

/* A kernel without CONFIG_MODULES has no /proc/modules. */
static bool running_kernel_has_modules(void)
{
	return !access(system_path("/proc/modules"), F_OK);
}

static bool refuse_other_kernel(const char *release)
{
	struct utsname u;

	uname(&u);
	if (!strcmp(u.release, release) || strchr(release, '/'))
		return true;
	error(nowhere, DIAG_RUN, "a module for %s cannot run on this kernel, %s", release, u.release);
	note(nowhere, "--vm runs it in a virtual machine; -p4 only builds it");
	return false;
}

/* The kernel says which machine the script is for; -a must be that one. A kernel that is not there is reported later. */
static bool choose_machine(struct options *opt)
{
	const struct kernel *k;
	const struct machine *m;
	struct trial trial;

	if (!opt->release && opt->machine && opt->machine != machine_host())
		opt->release = kernel_newest(NULL, opt->vm ? kernel_boots : kernel_builds);
	if (!opt->release) {
		if (!opt->machine || opt->machine == machine_host())
			return true;
		error(nowhere, DIAG_NO_KERNEL, "-a %s: no kernel of that architecture is installed here", opt->machine->script);
		note(nowhere, "name its build tree with -r DIR");
		return false;
	}
	trial_begin(NULL, &trial, TRIAL_DROPS);
	k = kernel_find(NULL, opt->release);
	trial_end(&trial);
	m = k ? k->machine : NULL;
	if (m && opt->machine && m != opt->machine) {
		error(nowhere, DIAG_NO_KERNEL, "-a %s: kernel %s is for %s", opt->machine->script, k->release, m->script);
		note(nowhere, "choose another one with -r RELEASE, or leave -a out");
		return false;
	}
	machine_set_target(m ? m : opt->machine);
	return true;
}

/* Sets opt->release to the kernel that is meant. */
static bool choose_release(struct options *opt)
{
	bool looks = opt->list || opt->language_server; /* at a kernel, and runs nothing there */
	bool runs = opt->vm || (opt->last_pass == 5 && (opt->runtime == RUNTIME_KERNEL || opt->runtime == RUNTIME_AUTO) && !opt->language_server);

	if (opt->vm_release && !(opt->release = kernel_newest(opt->vm_release, kernel_boots)))
		return vm_host_no_kernel(opt->vm_release);
	if (!opt->release)
		opt->release = getenv("KTAP_RELEASE");
	if (opt->release)
		opt->release = kernel_completed(opt->release, opt->vm && runs ? kernel_boots : kernel_builds);
	/* A list, and an editor, show the probes of the kernel that a script would run on. */
	if (looks && !opt->release && !running_kernel_has_modules())
		opt->release = vm_default_release();
	if (!runs)
		return true;
	if (!opt->vm && (running_kernel_has_modules() || (opt->runtime == RUNTIME_AUTO && vehicle_bpf_here())))
		return !opt->release || refuse_other_kernel(opt->release);
	if (!opt->release)
		opt->release = vm_default_release();
	if (!opt->release)
		return vm_host_no_kernel(NULL);
	if (!opt->vm && option_keeps_files(opt)) {
		error(nowhere, DIAG_RUN, "-%c needs a kernel that can load modules, and this one cannot", option_keeps_files(opt));
		note(nowhere, "without it the script runs in a virtual machine");
		return false;
	}
	if (!opt->vm) {
		opt->vm = true;
		warning(nowhere, DIAG_VM,
			"this kernel cannot load modules: running in a virtual machine with %s (--vm says so)",
			opt->release);
	}
	return true;
}

/* Commands run as root in the virtual machine. Debian leaves the directories of root's programs out of the PATH of others. */
static void extend_path(void)
{
	const char *path = getenv("PATH");

	setenv("PATH", arena_printf(&program_arena, "%s:/usr/local/sbin:/usr/sbin:/sbin", path && *path ? path : "/usr/bin:/bin"), 1);
}

bool run_choose_kernel(struct options *opt)
{
	opt->target_process = opt->target ? process_open(opt->target) : -1;
	machine_set_target(opt->machine);
	opt->guest_root = vm_root_named(opt->vm_root);
	if (!choose_release(opt) || !choose_machine(opt))
		return false;
	vehicle_choose(opt);
	if (!vehicle_check(opt))
		return false;
	if (opt->vm)
		extend_path();
	return !opt->vm || opt->list || (opt->last_pass < 5 && !opt->vm_exec) || vm_host_find(&opt->vm_host); /* before anything is built */
}

/* ---- before the build ---- */
/* -o: its directory, and the file where it exists. Strftime may choose another directory. */
static bool check_output(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	const char *dir = slash ? arena_strndup(&program_arena, pattern, (size_t)(slash - pattern) + 1) : ".";

	if (strchr(dir, '%'))
		return true;
	if (access(dir, W_OK | X_OK) < 0 || (access(pattern, W_OK) < 0 && errno != ENOENT)) {
		error(nowhere, DIAG_IO, "-o: cannot write '%s': %s", pattern, strerror(errno));
		note(nowhere, "give a file in a directory that exists and that you may write");
		return false;
	}
	return true;
}

/* -c: its first word, where that is a plain name. */
static bool check_command(const struct options *opt)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+";
	const char *line = opt->command;
	size_t blank = strspn(line, " \t"), len = strspn(line + blank, plain);
	const char *word = arena_strndup(&program_arena, line + blank, len);
	const char *const argv[] = { "sh", "-c", "command -v \"$1\"", "sh", word, NULL };

	if (!len || *word == '-' || (line[blank + len] && !strchr(" \t", line[blank + len])))
		return true;
	/* Only what is not in PATH is worth a shell's start: it may be built in. */
	if ((!strchr(word, '/') && program_path(word)) || guest_file(opt->guest_root, word) != word)
		return true;
	if (proc_run(&(struct proc){ .argv = argv, .quiet = true }) <= 0)
		return true;
	error(nowhere, DIAG_USAGE, "-c: there is no program '%s'", word);
	note(nowhere, "give its path, or a program in $PATH");
	return false;
}

static bool check_target(const struct options *opt)
{
	int pid = opt->target;

	if (pid && opt->vm) {
		error(nowhere, DIAG_USAGE, "-x %d: the processes of this machine are not in the virtual machine", pid);
		note(nowhere, "start one there with -c COMMAND, or run the script on this machine without --vm");
		return false;
	}
	if (!pid || !kill(pid, 0) || errno != ESRCH)
		return true;
	error(nowhere, DIAG_USAGE, "-x: there is no process %d", pid);
	note(nowhere, "'pgrep NAME' prints the numbers of processes by name; -c COMMAND starts one");
	return false;
}

/* Reports why the running kernel would load no module from this process, and what else can be done. */
static bool check_obstacles(const struct options *opt)
{
	struct obstacle o, bpf;
	struct module_rules rules;
	struct utsname u;

	uname(&u);
	module_rules_read(&rules, system_root());
	o = obstacle_loading(&rules, u.release, opt->force_taint, opt->sign_key);
	bpf = o.found ? obstacle_bpf(&rules) : o;
	module_rules_deinit(&rules);
	if (!o.found)
		return true;
	error(nowhere, DIAG_RUN, "cannot load modules: %s", o.found);
	if (bpf.found)
		note(nowhere, "nor BPF programs: %s", bpf.found);
	note(nowhere, "run: %s", o.mend);
	if (!bpf.found)
		note(nowhere, "or run the script as BPF programs: ktap --runtime=bpf SCRIPT");
	note(nowhere, "or run the script in a virtual machine: ktap --vm SCRIPT");
	return false;
}

bool run_check(const struct options *opt)
{
	if (opt->last_pass < 5)
		return true;
	if (option_live(opt) && !live_check(&opt->live))
		return false;
	if ((opt->output && !check_output(opt->output)) || (opt->command && !check_command(opt)))
		return false;
	if (!check_target(opt))
		return false;
	if (opt->vm || opt->runtime != RUNTIME_KERNEL || opt->loads)
		return true;
	return check_obstacles(opt);
}

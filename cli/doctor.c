/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap doctor`: checks what scripts need, from the running kernel to debuginfod, and names the command that mends each fault.
 *
 * A check is a function and a row of checks[]: it fills a finding from struct patient. It changes nothing, but the cache
 * directory is created as by any run. $KTAP_DOCTOR_ROOT is a directory to look in instead of / (tests).
 */
#include "cli/doctor.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/obstacles.h"
#include "cli/vm/host.h"
#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "runtime/output/json.h"
#include "translator/module/build.h"
#include "translator/platform/kernels.h"

enum {
	SECURE_BOOT_SIZE = 5,  /* bytes of the variable: attributes and the value */
	CACHE_FREE_MB = 200,   /* a kit and some modules */
};

/* The machine that the checks look at. */
struct patient {
	const char *running;         /* release of this kernel */
	bool loads;                  /* it has loadable modules */
	const char *release;         /* the kernel that scripts are compiled for; NULL: none */
	const struct kernel *kernel; /* its files; NULL: none are here */
	const char *vm_release;      /* the kernel that --vm boots; NULL: none */
	bool dwarf;                  /* the kernel's DWARF is here */
	struct vm_host host;
	struct module_rules rules;
	struct obstacle bpf;         /* to loading BPF programs */
};

enum status { OK, NOTE, ERROR };

static const char *const status_names[] = { [OK] = "ok", [NOTE] = "note", [ERROR] = "error" };

struct finding {
	enum status status;
	const char *found; /* a fact, in words */
	const char *mend;  /* command, or NULL */
};

#define phrase(...) arena_printf(&program_arena, __VA_ARGS__)

static struct finding ok(const char *found)
{
	return (struct finding){ OK, found, NULL };
}

/* ---- the kernel ---- */
static struct finding of_obstacle(struct obstacle o, const char *otherwise)
{
	return o.found ? (struct finding){ ERROR, o.found, o.mend } : ok(otherwise);
}

static struct finding check_kernel(const struct patient *p)
{
	if (!p->loads)
		return (struct finding){ NOTE, phrase("%s has no loadable modules, so scripts run %s", p->running,
						       p->bpf.found ? "in a virtual machine" : "as BPF programs"),
					 p->bpf.found ? "ktap --vm SCRIPT" : NULL };
	return of_obstacle(obstacle_disabled(&p->rules, p->running), phrase("%s loads modules", p->running));
}

static struct finding check_headers(const struct patient *p)
{
	if (!p->release)
		return (struct finding){ ERROR, "no kernel is installed to compile for", package_command(PACKAGE_KERNEL, NULL) };
	return of_obstacle(obstacle_headers(p->release, p->kernel),
			   phrase("%s in %s", p->release, p->kernel && p->kernel->build_dir ? p->kernel->build_dir : ""));
}

/* ---- the compiler ---- */
/* The major version that compiler CC reports, 0: unknown. */
static int version_of(const char *cc)
{
	_cleanup_text_ struct text out = { 0 };

	return proc_run(&(struct proc){ .argv = (const char *const[]){ cc, "-dumpversion", NULL }, .out = &out }) ?
		       0 : atoi(text_str(&out));
}

static struct finding check_compiler(const struct patient *p)
{
	const struct kernel *k = p->kernel;
	bool clang = k && kernel_config(k, "CC_IS_CLANG");
	const char *cc = k && k->build_dir ? kit_compiler(k) : "gcc";
	const char *built = k ? kernel_config(k, clang ? "CLANG_VERSION" : "GCC_VERSION") : NULL;
	int here, there = built ? atoi(built) / 10000 : 0; /* CONFIG_GCC_VERSION is 120200 for 12.2.0 */
	struct obstacle lack = obstacle_compiler(cc, true);

	if (lack.found)
		return of_obstacle(lack, NULL);
	here = version_of(cc);
	if (!there || !here || here == there)
		return ok(phrase(there ? "%s, version %d as for the kernel" : "%s, version %d", cc, here));
	return (struct finding){ NOTE, phrase("%s is version %d; version %d built the kernel", cc, here, there),
				 program_path(phrase("gcc-%d", there)) ? phrase("ktap -B CC=gcc-%d SCRIPT", there) :
					package_command(PACKAGE_GCC, phrase("%d", there)) };
}

/* ---- debugging information ---- */
static bool has_debuginfod(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls;
}

static struct finding check_debuginfo(const struct patient *p)
{
	bool running = p->release && !strcmp(p->release, p->running);
	bool btf = p->kernel && (running ? !access(system_path("/sys/kernel/btf/vmlinux"), R_OK) :
					   kernel_config(p->kernel, "DEBUG_INFO_BTF") != NULL);
	const char *mend = p->release && !package_is_own_kernel(p->release) ? package_command(PACKAGE_DEBUGINFO, p->release) : NULL;

	if (!p->release)
		return (struct finding){ NOTE, "no kernel to have debugging information of", NULL };
	if (p->dwarf)
		return ok(phrase("DWARF in %s", p->kernel->vmlinux));
	if (!mend)
		mend = "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org/";
	if (has_debuginfod())
		return ok(phrase("%s; DWARF is asked of debuginfod", btf ? "BTF" : "no BTF"));
	if (btf)
		return (struct finding){ NOTE, "BTF: types and parameters; source lines and local variables need DWARF", mend };
	return (struct finding){ NOTE, phrase("%s has neither DWARF nor BTF here: no $variables of the kernel", p->release), mend };
}

static struct finding check_debuginfod(const struct patient *p)
{
	void *library;

	if (!has_debuginfod() && p->dwarf)
		return ok("DEBUGINFOD_URLS is not set, and DWARF is installed");
	if (!has_debuginfod())
		return (struct finding){ NOTE, "DEBUGINFOD_URLS is not set: missing debugging information is not downloaded",
					 "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org/" };
	library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return (struct finding){ NOTE, "DEBUGINFOD_URLS is set, but libdebuginfod.so.1 is not installed",
					 package_command(PACKAGE_DEBUGINFOD, NULL) };
	dlclose(library);
	return ok(phrase("asks %s", getenv("DEBUGINFOD_URLS")));
}

/* ---- permission ---- */
static const char rules_of_vm[] = "of no matter: this kernel loads no modules, and that of --vm takes ktap's";

static struct finding check_lockdown(const struct patient *p)
{
	if (!p->loads)
		return ok(rules_of_vm);
	if (!obstacle_lockdown(&p->rules).found && obstacle_lockdown_hidden(&p->rules))
		return (struct finding){ NOTE, "unknown: /sys/kernel/security is not mounted",
					 root_command("mount -t securityfs securityfs /sys/kernel/security") };
	return of_obstacle(obstacle_lockdown(&p->rules), "none: unsigned modules are loaded");
}

static struct finding check_panic(const struct patient *p)
{
	if (!p->loads)
		return ok(rules_of_vm);
	return of_obstacle(obstacle_panic(&p->rules), "no taint panics the kernel");
}

static struct finding check_secure_boot(const struct patient *p)
{
	static const char variable[] = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
	_cleanup_text_ struct text t = { 0 };
	bool known = text_read_file(&t, system_path("%s", variable)) && t.len == SECURE_BOOT_SIZE;
	bool on = known && t.buf[SECURE_BOOT_SIZE - 1];

	if (on && obstacle_is_locked_down(&p->rules))
		return (struct finding){ NOTE, "on: it locks the kernel down", OBSTACLE_SIGN };
	return ok(on ? "on, without lockdown" : known ? "off" : "none: no EFI variable says it is on");
}

static struct finding check_privileges(const struct patient *p)
{
	if (!p->loads)
		return ok("none are needed: this kernel loads no modules, and --vm needs none");
	return of_obstacle(obstacle_privileges(&p->rules), "modules may be loaded");
}

static struct finding check_bpf(const struct patient *p)
{
	return of_obstacle(p->bpf, "BPF programs may be loaded: no module is needed");
}

/* ---- the virtual machine ---- */
static struct finding check_vm_kernel(const struct patient *p)
{
	const char *hidden = p->vm_release ? NULL : kernel_newest(NULL, kernel_boots_for_root);

	if (hidden)
		return (struct finding){ ERROR, phrase("the image of %s cannot be read by this user", hidden),
					 permission_command(kernel_unreadable_image(hidden)) };
	if (!p->vm_release)
		return (struct finding){ ERROR, "no kernel is installed that a virtual machine could boot",
					 package_command(PACKAGE_KERNEL, NULL) };
	if (!kernel_builds(p->vm_release))
		return (struct finding){ ERROR, phrase("--vm boots %s, which has no headers here", p->vm_release),
					 obstacle_headers_command(p->vm_release) };
	return ok(phrase("--vm boots %s", p->vm_release));
}

static struct finding check_kvm(const struct patient *p)
{
	const char *module;

	switch (vm_host_kvm(&module)) {
	case VM_KVM_USABLE:
		return ok("/dev/kvm");
	case VM_KVM_NO_CPU:
		return (struct finding){ NOTE, "the CPU offers no virtualization (firmware setting, or nesting on the host): --vm is slow", NULL };
	case VM_KVM_NO_DEVICE:
		return (struct finding){ NOTE, "/dev/kvm is missing; --vm is slow", root_command(phrase("modprobe %s", module)) };
	case VM_KVM_REFUSED:
		return (struct finding){ NOTE, phrase("/dev/kvm: %s; --vm is slow", strerror(errno)),
					 "sudo usermod -aG kvm $(id -un), then log in again" };
	}
	bug("no such state of KVM");
}

static struct finding check_program(const char *path, const char *name, enum package package)
{
	return path ? ok(path) : (struct finding){ ERROR, phrase("%s is not installed, which --vm needs", name), package_command(package, NULL) };
}

static struct finding check_qemu(const struct patient *p)
{
	return check_program(p->host.qemu, vm_host_qemu(), machine_host()->board.qemu);
}

static struct finding check_virtiofsd(const struct patient *p)
{
	return check_program(p->host.virtiofsd, "virtiofsd", PACKAGE_VIRTIOFSD);
}

/* ---- the cache ---- */
static struct finding check_cache(const struct patient *p)
{
	const char *why, *dir = cache_path(&why), *usable;
	struct statvfs fs;
	struct trial trial;
	unsigned long long free_mb;

	trial_begin(NULL, &trial, TRIAL_DROPS);
	usable = dir ? cache_dir() : NULL;
	trial_end(&trial);
	if (!usable)
		return (struct finding){ ERROR, dir ? phrase("%s cannot be used: 'ktap -p4 SCRIPT' says why", dir) : why,
					 "export KTAP_CACHE_DIR=DIR, a directory of your own" };
	if (access(usable, W_OK))
		return (struct finding){ ERROR, phrase("%s: %s", usable, strerror(errno)),
					 "export KTAP_CACHE_DIR=DIR, a directory of your own" };
	if (statvfs(usable, &fs))
		return (struct finding){ ERROR, phrase("%s: %s", usable, strerror(errno)), NULL };
	free_mb = (unsigned long long)fs.f_bavail * fs.f_frsize >> 20;
	if (free_mb < CACHE_FREE_MB)
		return (struct finding){ NOTE, phrase("%s has only %llu MB of disk left", usable, free_mb), "ktap --clean-cache" };
	return ok(usable);
}

/* ---- the report ---- */
enum need { HERE = 1, IN_VM = 2, BOTH = HERE | IN_VM, AS_BPF = 4 }; /* who cannot run when a check finds an error */

static const struct check {
	const char *name;
	struct finding (*look)(const struct patient *p);
	int need;
} checks[] = {
	{ "kernel", check_kernel, HERE },
	{ "headers", check_headers, HERE },
	{ "compiler", check_compiler, BOTH },
	{ "debuginfo", check_debuginfo, 0 },
	{ "lockdown", check_lockdown, HERE },
	{ "panic", check_panic, HERE },
	{ "secure-boot", check_secure_boot, 0 },
	{ "privileges", check_privileges, HERE },
	{ "bpf", check_bpf, AS_BPF },
	{ "kvm", check_kvm, 0 },
	{ "qemu", check_qemu, IN_VM },
	{ "virtiofsd", check_virtiofsd, IN_VM },
	{ "vm-kernel", check_vm_kernel, IN_VM },
	{ "cache", check_cache, BOTH },
	{ "debuginfod", check_debuginfod, 0 },
};

enum { N_CHECKS = sizeof(checks) / sizeof(checks[0]) };

/* The kernel is the one that a run without -r takes: see run_choose_kernel(). */
static void examine(struct patient *p)
{
	const char *running = system_line("/proc/sys/kernel/osrelease");
	struct trial trial;

	p->running = running ? running : "the kernel";
	p->loads = !access(system_path("/proc/modules"), F_OK);
	p->vm_release = kernel_default(p->running);
	p->release = p->loads ? p->running : p->vm_release;
	trial_begin(NULL, &trial, TRIAL_DROPS);
	p->kernel = p->release ? kernel_find(NULL, p->release) : NULL;
	trial_end(&trial);
	p->dwarf = p->kernel && p->kernel->vmlinux;
	vm_host_look(&p->host);
	module_rules_read(&p->rules, system_root());
	p->bpf = obstacle_bpf(&p->rules);
}

/* "mend": null where nothing is to be mended. */
static void put_mend(struct json *j, const char *mend)
{
	if (mend) {
		json_member_string(j, "mend", mend);
		return;
	}
	json_key(j, "mend");
	json_puts(j, "null");
}

static void put_bool(struct json *j, const char *name, bool value)
{
	json_key(j, name);
	json_puts(j, value ? "true" : "false");
}

static void print_json(const struct finding *findings, int runs)
{
	struct json j = { 0 };

	json_puts(&j, "{");
	put_bool(&j, "here", runs & HERE);
	put_bool(&j, "vm", runs & IN_VM);
	put_bool(&j, "bpf", runs & AS_BPF);
	json_key(&j, "checks");
	json_puts(&j, "[");
	for (int i = 0; i < N_CHECKS; i++) {
		json_comma(&j);
		json_puts(&j, "\n{");
		json_member_string(&j, "name", checks[i].name);
		json_member_string(&j, "status", status_names[findings[i].status]);
		json_member_string(&j, "found", findings[i].found);
		put_mend(&j, findings[i].mend);
		json_puts(&j, "}");
	}
	json_puts(&j, "\n]}\n");
	fwrite(j.buf, 1, j.len, stdout);
	json_deinit(&j);
}

static void print_lines(const struct finding *findings, int runs)
{
	for (int i = 0; i < N_CHECKS; i++) {
		const struct finding *f = &findings[i];

		printf("%-11s %-5s %s%s%s\n", checks[i].name, status_names[f->status], f->found, f->mend ? "; run: " : "",
		       f->mend ? f->mend : "");
	}
	puts((runs & BOTH) == BOTH ? "scripts run on this kernel, and with --vm in a virtual machine" :
	     runs & HERE ? "scripts run on this kernel, not in a virtual machine" :
	     runs == (AS_BPF | IN_VM) ? "scripts run as BPF programs on this kernel, and with --vm in a virtual machine" :
	     runs == AS_BPF ? "scripts run as BPF programs on this kernel, not in a virtual machine" :
	     runs == IN_VM ? "scripts run with --vm in a virtual machine, not on this kernel" :
			     "scripts run neither on this kernel nor in a virtual machine");
}

int doctor_run(int argc, char **argv)
{
	bool json = argc == 1 && !strcmp(argv[0], "--json");
	struct finding findings[N_CHECKS];
	struct patient p = { 0 };
	int runs;

	if (argc && !json)
		return command_misused("doctor takes no argument but --json");
	examine(&p);
	runs = (p.loads ? BOTH : IN_VM) | AS_BPF;
	for (int i = 0; i < N_CHECKS; i++) {
		findings[i] = checks[i].look(&p);
		if (findings[i].status == ERROR)
			runs &= ~checks[i].need;
	}
	/* Where scripts run on this kernel, --vm is a choice; so are BPF programs where modules are loaded. */
	for (int i = 0; i < N_CHECKS; i++)
		if (findings[i].status == ERROR && (checks[i].need == IN_VM ? runs & (HERE | AS_BPF) : checks[i].need == AS_BPF && runs & BOTH))
			findings[i].status = NOTE;
	if (json)
		print_json(findings, runs);
	else
		print_lines(findings, runs);
	module_rules_deinit(&p.rules);
	return command_written() || !runs;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel refused to load a module, and the next step.
 *
 * One errno has several causes: /proc and /sys show which of them holds. Each cause is a note that names it and a note that
 * says what to do.
 */
#include "runtime/loader/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/module-rules.h"
#include "lib/text.h"

/* The way to a signature that the kernel accepts. */
static void say_how_to_sign(const struct image *m)
{
	if (m->signature)
		note(nowhere, "enroll the certificate that it was signed with: mokutil --import CERT.der, and reboot; see "
			      "SIGNED MODULES in man ktap");
	else
		note(nowhere, "sign it with: ktap --sign-module=KEY,CERT; see SIGNED MODULES in man ktap");
	note(nowhere, "or compile the script to BPF programs, which need no signature: ktap --runtime=bpf");
}

static void explain_permission(const struct module_rules *rules, const struct image *m)
{
	if (rules->disabled) {
		note(nowhere, "kernel.modules_disabled is 1: no module can be loaded until the next boot");
		note(nowhere, "reboot without that setting, which sysctl.conf or an early service makes");
	} else if (rules->lockdown) {
		note(nowhere, "the kernel is locked down (%s), as with Secure Boot, and loads only modules with a signature that "
			      "it trusts; this one %s", rules->lockdown, m->signature ? "is signed with another key" : "is not signed");
		say_how_to_sign(m);
	} else if (rules->in_namespace) {
		note(nowhere, "this process is in a user namespace, as in a container: its CAP_SYS_MODULE does not count for the "
			      "kernel");
		note(nowhere, "run ktaprun as root outside of the container");
	} else if (rules->hidden && rules->boot_lockdown) {
		note(nowhere, "the kernel was booted with lockdown=%s, and so loads only modules with a signature that it trusts; this one %s",
		     rules->boot_lockdown, m->signature ? "is signed with another key" : "is not signed");
		say_how_to_sign(m);
	} else if (rules->hidden) {
		note(nowhere, "the kernel may be locked down, as with Secure Boot: /sys/kernel/security/lockdown cannot be read; the end of "
			      "dmesg says so, or: mount -t securityfs securityfs /sys/kernel/security");
		note(nowhere, "otherwise a security module (SELinux, AppArmor, LoadPin) or a seccomp filter may forbid it: see the audit log");
	} else {
		note(nowhere, "a security module (SELinux, AppArmor, LoadPin) or a seccomp filter may forbid it: look at the end "
			      "of dmesg and at the audit log");
	}
}

static void explain_signature(const struct image *m, int err)
{
	if (!m->signature)
		note(nowhere, "the kernel loads only signed modules (module.sig_enforce), and this one is not signed");
	else if (err == EBADMSG)
		note(nowhere, "its signature is damaged");
	else if (err == EKEYEXPIRED)
		note(nowhere, "the certificate of its signature has expired");
	else
		note(nowhere, "the kernel does not trust the key that it was signed with, or the file was changed after that");
	if (m->signature && err == EBADMSG)
		note(nowhere, "build and sign it again with: ktap --sign-module=KEY,CERT");
	else
		say_how_to_sign(m);
}

/* Returns the KB that /proc/meminfo has for available memory, 0: it says nothing. */
static unsigned long long available_kb(const struct loader_sys *sys)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/meminfo");
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	unsigned long long kb;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kb) == 1)
			return kb;
	return 0;
}

static double in_mb(unsigned long long bytes)
{
	return (double)bytes / (1 << 20);
}

/* The module's word on its arrays: their number, their bytes, those for each CPU, and for the largest name, elements and both again. */
static void explain_memory(const struct loader_sys *sys, const struct image *m)
{
	unsigned long long once, per_cpu, cpus = (unsigned long long)sysconf(_SC_NPROCESSORS_CONF), kb = available_kb(sys);
	_cleanup_text_ struct text largest = { 0 };
	const char *at = m->arrays;
	long long elements;
	char name[128];
	int n, end;

	if (!at || sscanf(at, "%d %llu %llu%n", &n, &once, &per_cpu, &end) != 3) {
		note(nowhere, "the buffers of the script are too large: lower -s; %llu MB are available", kb >> 10);
		return;
	}
	note(nowhere, "its %d array%s take%s %.1f MB, and the machine has %llu MB, of which a part stays free for others", n, n == 1 ? "" : "s",
	     n == 1 ? "s" : "", in_mb(once + per_cpu * cpus), kb >> 10);
	for (at += end; sscanf(at, " %127s %lld %llu %llu%n", name, &elements, &once, &per_cpu, &end) == 4; at += end)
		text_printf(&largest, "%s'%s' (%.1f MB for %lld elements)", largest.len ? ", " : "", name, in_mb(once + per_cpu * cpus), elements);
	note(nowhere, "the largest: %s", text_str(&largest));
	note(nowhere, "give these fewer elements in their declaration, or lower -D MAXMAPENTRIES, -D MAPSTRINGLEN or -s");
}

static void explain(const struct loader_sys *sys, const struct module_rules *rules, const struct image *m, int err)
{
	switch (err) {
	case EPERM:
	case EACCES:
		explain_permission(rules, m);
		break;
	case ENOKEY:
	case EKEYREJECTED:
	case EKEYEXPIRED:
	case EBADMSG:
		explain_signature(m, err);
		break;
	case EEXIST:
		note(nowhere, "a session of this name is running: stop it, or name this one with: ktap -m NAME");
		return;
	case ENOEXEC:
		note(nowhere, "the running kernel is %s, but it was built with other options than the headers that the module was "
			      "built with: the end of dmesg names the difference", m->release);
		note(nowhere, "bring kernel and headers to the same package version, reboot if need be, and build it again");
		break;
	case ENOENT:
		note(nowhere, "the kernel lacks a symbol that the module needs: see the end of dmesg");
		break;
	case ENOSYS:
		note(nowhere, "this kernel is built without modules");
		break;
	case EOPNOTSUPP:
		note(nowhere, "--transport=relay needs a kernel with CONFIG_RELAY that exports relay_open(); --transport=ring works on every kernel");
		return;
	case ENOMEM:
		explain_memory(sys, m);
		return;
	default:
		note(nowhere, "the kernel may have said why: see the end of dmesg");
		return;
	}
	note(nowhere, "the script runs without any of this in a virtual machine: ktap --vm");
}

void refusal_explain(const struct loader_sys *sys, const struct image *m, int err)
{
	struct module_rules rules;

	module_rules_read(&rules, sys->root);
	explain(sys, &rules, m, err);
	module_rules_deinit(&rules);
}

/* Reports a panic that the rules make certain. False: it is. */
static bool no_panic(const struct module_rules *rules)
{
	_cleanup_free_ char *why = module_rules_panic(rules);

	if (!why)
		return true;
	error(nowhere, DIAG_RUN, "cannot load modules: %s", why);
	note(nowhere, "boot without panic_on_taint, or run the script in a virtual machine: ktap --vm; --force-taint loads it all the same");
	return false;
}

bool refusal_no_panic(const struct loader_sys *sys)
{
	struct module_rules rules;
	bool ok;

	module_rules_read(&rules, sys->root);
	ok = no_panic(&rules);
	module_rules_deinit(&rules);
	return ok;
}

/* The error that loading M would end in, 0: none that is foreseen. */
static int foreseen(const struct module_rules *rules, const struct image *m)
{
	if (rules->disabled)
		return EPERM;
	if (m->signature || (!rules->lockdown && !rules->sig_enforce))
		return 0;
	return rules->lockdown ? EPERM : ENOKEY;
}

bool refusal_unlikely(const struct loader_sys *sys, const struct image *m)
{
	struct module_rules rules;
	int err;

	module_rules_read(&rules, sys->root);
	if (!no_panic(&rules)) {
		module_rules_deinit(&rules);
		return false;
	}
	err = foreseen(&rules, m);
	if (err) {
		error(nowhere, DIAG_RUN, "the kernel would refuse module '%s'", m->name);
		explain(sys, &rules, m, err);
	}
	module_rules_deinit(&rules);
	return !err;
}

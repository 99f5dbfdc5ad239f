/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads /proc and /sys below system_root(). */
#include "cli/obstacles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/bpf-rules.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "translator/debuginfo/target.h"

enum { CAP_SYS_MODULE_BIT = 16 };

static const struct obstacle none;

const char *system_line(const char *path)
{
	_cleanup_text_ struct text t = { 0 };

	if (!text_read_file(&t, system_path("%s", path)))
		return NULL;
	return arena_strndup(&program_arena, text_str(&t), strcspn(text_str(&t), "\n"));
}

struct obstacle obstacle_disabled(const struct module_rules *rules, const char *release)
{
	if (!rules->disabled)
		return none;
	return (struct obstacle){
		arena_printf(&program_arena, "%s loads no module until the next boot (kernel.modules_disabled)", release), "reboot" };
}

bool obstacle_is_locked_down(const struct module_rules *rules)
{
	return rules->lockdown;
}

bool obstacle_lockdown_hidden(const struct module_rules *rules)
{
	return rules->hidden && !rules->boot_lockdown;
}

struct obstacle obstacle_lockdown(const struct module_rules *rules)
{
	if (rules->hidden && rules->boot_lockdown)
		return (struct obstacle){ arena_printf(&program_arena, "the kernel was booted with lockdown=%s: only modules with a signature that "
						       "it trusts are loaded", rules->boot_lockdown), OBSTACLE_SIGN };
	if (rules->lockdown)
		return (struct obstacle){ arena_printf(&program_arena, "%s: only modules with a signature that the kernel trusts are "
						       "loaded", rules->lockdown), OBSTACLE_SIGN };
	if (rules->sig_enforce)
		return (struct obstacle){ "none, but module.sig_enforce: only signed modules are loaded", OBSTACLE_SIGN };
	return none;
}

struct obstacle obstacle_panic(const struct module_rules *rules)
{
	_cleanup_free_ char *why = module_rules_panic(rules);

	return why ? (struct obstacle){ arena_strdup(&program_arena, why), "ktap --force-taint SCRIPT, if the machine may panic" } : none;
}

/* The value of KEY in /proc/self/status, "" without one. */
static const char *status_value(const char *key)
{
	_cleanup_text_ struct text t = { 0 };
	const char *at, *value = "";

	if (text_read_file(&t, system_path("/proc/self/status")) &&
	    (at = strstr(text_str(&t), arena_printf(&program_arena, "\n%s:", key)))) {
		at += strlen(key) + 2;
		at += strspn(at, " \t");
		value = arena_strndup(&program_arena, at, strcspn(at, " \t\n"));
	}
	return value;
}

static uint64_t capabilities(void)
{
	return strtoull(status_value("CapEff"), NULL, 16);
}

struct obstacle obstacle_privileges(const struct module_rules *rules)
{
	if (!(capabilities() >> CAP_SYS_MODULE_BIT & 1))
		return (struct obstacle){ arena_printf(&program_arena, "user %s may not load modules (CAP_SYS_MODULE)",
						       status_value("Uid")), "sudo ktap SCRIPT" };
	if (rules->in_namespace)
		return (struct obstacle){ "root of a container (user namespace) may not load modules",
					  "sudo ktap SCRIPT, outside of the container" };
	return none;
}

struct obstacle obstacle_loading(const struct module_rules *rules, const char *release, bool forced, bool is_signed)
{
	struct obstacle o = obstacle_privileges(rules);

	if (!o.found)
		o = obstacle_disabled(rules, release);
	if (!o.found && !forced)
		o = obstacle_panic(rules);
	if (!o.found && !is_signed)
		o = obstacle_lockdown(rules);
	return o;
}

/* ---- the build ---- */
struct obstacle obstacle_headers(const char *release, const struct kernel *k)
{
	bool own = package_is_own_kernel(release);

	if (k && k->build_dir && !access(arena_printf(&program_arena, "%s/Makefile", k->build_dir), R_OK))
		return none;
	return (struct obstacle){ arena_printf(&program_arena, "%s has no headers here%s", release,
					       own ? ", and no package installed that kernel" : ""), obstacle_headers_command(release) };
}

const char *obstacle_headers_command(const char *release)
{
	return package_is_own_kernel(release) ? "make modules_prepare in the source tree of that kernel, then: ktap -r TREE SCRIPT" :
					package_command(PACKAGE_HEADERS, release);
}

struct obstacle obstacle_compiler(const char *cc, bool builds_kit)
{
	const struct {
		const char *name;
		enum package package;
		const char *what;
	} programs[] = {
		{ cc, PACKAGE_GCC, strrchr(cc, '-') ? strrchr(cc, '-') + 1 : NULL },
		{ "make", PACKAGE_MAKE, NULL },
		{ "ld", PACKAGE_LINKER, NULL },
	};

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if ((builds_kit || programs[i].package != PACKAGE_MAKE) && !program_path(programs[i].name))
			return (struct obstacle){ arena_printf(&program_arena, "%s is not installed", programs[i].name),
						  package_command(programs[i].package, programs[i].what) };
	return none;
}

/* ---- BPF ---- */
struct obstacle obstacle_bpf(const struct module_rules *rules)
{
	const char *wrong = bpf_rules_kernel(rules, system_root()), *lacking;

	if (wrong)
		return (struct obstacle){ wrong, rules->in_namespace ? "sudo ktap SCRIPT, outside of the container" : NULL };
	lacking = bpf_rules_lacking(capabilities(), BPF_NEEDS_EVENTS, system_root());
	if (lacking)
		return (struct obstacle){ arena_printf(&program_arena, "user %s may not load BPF programs (%s)", status_value("Uid"), lacking),
					  "sudo ktap SCRIPT" };
	return none;
}

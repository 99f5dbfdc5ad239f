/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/module-rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"

/* Replaces the text of T with the file PATH below ROOT; false: it is unreadable. */
static bool read_below(struct text *t, const char *root, const char *path)
{
	_cleanup_free_ char *full = xasprintf("%s%s", root, path);

	text_clear(t);
	return text_read_file(t, full);
}

static bool is_on(struct text *t, const char *root, const char *path)
{
	return read_below(t, root, path) && (*text_str(t) == '1' || *text_str(t) == 'Y');
}

/* The word in brackets of "none [integrity] confidentiality". */
static char *level_of(const char *line)
{
	const char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;

	return to && strncmp(from, "[none]", 6) ? xasprintf("%.*s", (int)(to - from - 1), from + 1) : NULL;
}

/* The first user namespace maps all IDs to themselves. */
static bool is_first_namespace(const char *map)
{
	unsigned long inside, outside, n;

	return sscanf(map, "%lu %lu %lu", &inside, &outside, &n) == 3 && !inside && !outside && n == 0xffffffff;
}

/* glibc has had these calls since 2.36 only. The numbers are those of all machines. */
enum { SYSCALL_FSOPEN = 430, SYSCALL_FSCONFIG = 431, SYSCALL_FSMOUNT = 432, FS_CLOEXEC = 1, FS_CREATE = 6 };

/* Returns securityfs as a mount that is attached nowhere, or -1: it does not exist, or this process may not mount it. */
static int mount_securityfs(void)
{
	_cleanup_close_ int fs = (int)syscall(SYSCALL_FSOPEN, "securityfs", FS_CLOEXEC);

	if (fs < 0 || syscall(SYSCALL_FSCONFIG, fs, FS_CREATE, NULL, NULL, 0) < 0)
		return -1;
	return (int)syscall(SYSCALL_FSMOUNT, fs, FS_CLOEXEC, 0);
}

/* Reads the level of lockdown, from the file lockdown, which kernels without lockdown lack, in securityfs, where all have the file lsm. */
static void read_lockdown(struct module_rules *ret, struct text *t, const char *root)
{
	_cleanup_close_ int mount = -1;
	_cleanup_free_ char *file = NULL;

	ret->hidden = !read_below(t, root, "/sys/kernel/security/lsm");
	if (ret->hidden && !*root && (mount = mount_securityfs()) >= 0) {
		file = xasprintf("/proc/self/fd/%d/lockdown", mount);
		ret->hidden = false;
	}
	if (read_below(t, root, file ? file : "/sys/kernel/security/lockdown")) {
		ret->lockdown = level_of(text_str(t));
		ret->hidden = false;
	}
}

/* Does the word AT of a command line, which ends at an '=', name PARAMETER? The kernel takes - for _. */
static bool is_parameter(const char *at, const char *parameter)
{
	for (; *parameter && (*at == *parameter || (*at == '-' && *parameter == '_')); at++)
		parameter++;
	return !*parameter && *at == '=';
}

/* Returns the last value of PARAMETER on the kernel's command line LINE, or NULL; to be freed. What follows "--" is for init. */
static char *boot_value(const char *line, const char *parameter)
{
	char *value = NULL;

	for (const char *at = line; *at;) {
		const char *word = at + strspn(at, " \n\"");
		size_t len = strcspn(word, " \n");

		if (len == 2 && !strncmp(word, "--", 2))
			break;
		if (is_parameter(word, parameter)) {
			const char *from = word + strlen(parameter) + 1;

			from += *from == '"';
			free(value);
			value = xasprintf("%.*s", (int)strcspn(from, " \n\""), from);
		}
		at = word + len;
	}
	return value;
}

/* Every flag that is set anew, as a module out of the kernel's tree does, panics if any flag of the mask is set then. */
static unsigned long fatal_taint(const char *mask, const char *tainted)
{
	enum { OUT_OF_TREE = 1 << 12, UNSIGNED = 1 << 13 };

	return mask ? strtoul(mask, NULL, 16) & (OUT_OF_TREE | UNSIGNED | strtoul(tainted, NULL, 10)) : 0;
}

static void read_command_line(struct module_rules *ret, struct text *t, const char *root)
{
	_cleanup_free_ char *panics = NULL;

	if (!read_below(t, root, "/proc/cmdline"))
		return;
	panics = boot_value(text_str(t), "panic_on_taint");
	ret->boot_lockdown = boot_value(text_str(t), "lockdown");
	read_below(t, root, "/proc/sys/kernel/tainted");
	ret->fatal_taint = fatal_taint(panics, text_str(t));
}

void module_rules_read(struct module_rules *ret, const char *root)
{
	_cleanup_text_ struct text t = { 0 };

	*ret = (struct module_rules){
		.disabled = is_on(&t, root, "/proc/sys/kernel/modules_disabled"),
		.sig_enforce = is_on(&t, root, "/sys/module/module/parameters/sig_enforce"),
	};
	read_lockdown(ret, &t, root);
	read_command_line(ret, &t, root);
	ret->in_namespace = read_below(&t, root, "/proc/self/uid_map") && !is_first_namespace(text_str(&t));
}

void module_rules_deinit(struct module_rules *rules)
{
	free(rules->lockdown);
	free(rules->boot_lockdown);
}

char *module_rules_panic(const struct module_rules *rules)
{
	return rules->fatal_taint ? xasprintf("the kernel was booted with panic_on_taint, and would panic when it loads a module of ktap (taint flags "
					      "0x%lx)", rules->fatal_taint) : NULL;
}

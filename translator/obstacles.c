/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads /proc and /sys below system_root. */
#include "translator/obstacles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/paths.h"
#include "translator/base/text.h"

enum { CAP_SYS_MODULE_BIT = 16 };

static const struct obstacle none;

const char *system_line(const char *path)
{
	struct text t = { 0 };
	const char *line = NULL;

	if (text_read_file(&t, system_path("%s", path)))
		line = arena_strndup(&program_arena, text_str(&t), strcspn(text_str(&t), "\n"));
	text_deinit(&t);
	return line;
}

static bool is_on(const char *path)
{
	const char *line = system_line(path);

	return line && (*line == '1' || *line == 'Y');
}

struct obstacle obstacle_disabled(const char *release)
{
	if (!is_on("/proc/sys/kernel/modules_disabled"))
		return none;
	return (struct obstacle){
		arena_printf(&program_arena, "%s loads no module until the next boot (kernel.modules_disabled)", release), "reboot" };
}

const char *lockdown_level(void)
{
	const char *line = system_line("/sys/kernel/security/lockdown"), *from = line ? strchr(line, '[') : NULL;

	return from && strncmp(from, "[none]", 6) ? arena_strndup(&program_arena, from + 1, strcspn(from + 1, "]")) : NULL;
}

struct obstacle obstacle_lockdown(void)
{
	const char *level = lockdown_level();

	if (level)
		return (struct obstacle){ arena_printf(&program_arena, "%s: only modules with a signature that the kernel trusts are "
						       "loaded", level), OBSTACLE_SIGN };
	if (is_on("/sys/module/module/parameters/sig_enforce"))
		return (struct obstacle){ "none, but module.sig_enforce: only signed modules are loaded", OBSTACLE_SIGN };
	return none;
}

/* The value of KEY in /proc/self/status, "" without one. */
static const char *status_value(const char *key)
{
	struct text t = { 0 };
	const char *at, *value = "";

	if (text_read_file(&t, system_path("/proc/self/status")) &&
	    (at = strstr(text_str(&t), arena_printf(&program_arena, "\n%s:", key)))) {
		at += strlen(key) + 2;
		at += strspn(at, " \t");
		value = arena_strndup(&program_arena, at, strcspn(at, " \t\n"));
	}
	text_deinit(&t);
	return value;
}

struct obstacle obstacle_privileges(void)
{
	const char *map = system_line("/proc/self/uid_map");
	unsigned long inside, outside, n;

	if (!(strtoull(status_value("CapEff"), NULL, 16) >> CAP_SYS_MODULE_BIT & 1))
		return (struct obstacle){ arena_printf(&program_arena, "user %s may not load modules (CAP_SYS_MODULE)",
						       status_value("Uid")), "sudo ktap SCRIPT" };
	if (map && (sscanf(map, "%lu %lu %lu", &inside, &outside, &n) != 3 || inside || outside || n != 0xffffffff))
		return (struct obstacle){ "root of a container (user namespace) may not load modules",
					  "sudo ktap SCRIPT, outside of the container" };
	return none;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/bpf-rules.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"

/* Headers of older kernels lack these two. */
enum { PERFMON_BIT = 38, BPF_BIT = 39 };

static bool exists(const char *root, const char *path)
{
	_cleanup_free_ char *full = xasprintf("%s%s", root, path);

	return !access(full, F_OK);
}

static bool is_confidential(const char *level)
{
	return level && !strcmp(level, "confidentiality");
}

const char *bpf_rules_kernel(const struct module_rules *rules, const char *root)
{
	if (!exists(root, "/proc/sys/kernel/unprivileged_bpf_disabled"))
		return "the kernel is built without BPF (CONFIG_BPF_SYSCALL)";
	if (!exists(root, "/sys/bus/event_source/devices/kprobe/type"))
		return "the kernel is built without BPF programs at probes (CONFIG_BPF_EVENTS, CONFIG_KPROBE_EVENTS)";
	if (is_confidential(rules->lockdown) || (rules->hidden && is_confidential(rules->boot_lockdown)))
		return "lockdown=confidentiality: BPF programs may not read the kernel's memory";
	if (rules->in_namespace)
		return "root of a container (user namespace) may not load BPF programs";
	return NULL;
}

/* Debian's kernels keep perf events from all but CAP_SYS_ADMIN where kernel.perf_event_paranoid is 3. */
static bool events_are_restricted(const char *root)
{
	_cleanup_free_ char *path = xasprintf("%s/proc/sys/kernel/perf_event_paranoid", root);
	_cleanup_text_ struct text t = { 0 };

	return text_read_file(&t, path) && atoi(text_str(&t)) > 2;
}

static bool has(uint64_t capabilities, unsigned bit)
{
	return capabilities >> bit & 1;
}

const char *bpf_rules_lacking(uint64_t effective, unsigned needs, const char *root)
{
	if (has(effective, CAP_SYS_ADMIN))
		return NULL;
	if (needs & BPF_NEEDS_UPROBES || (needs & BPF_NEEDS_EVENTS && events_are_restricted(root)))
		return "CAP_SYS_ADMIN";
	return has(effective, BPF_BIT) && has(effective, PERFMON_BIT) ? NULL : "CAP_BPF and CAP_PERFMON";
}

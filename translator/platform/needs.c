/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the kernel's configuration that probe families need, and the functions that the kernel exports with them.
 *
 * An option that is not set is found here, before anything is built. A function that is missing although the option is set, as
 * with CONFIG_TRIM_UNUSED_KSYMS, is found by the build of the kit: see translator/module/lacks.c.
 */
#include "translator/platform/needs.h"

#include <string.h>

#include "runtime/abi.h"

#define F(name) (1u << KT_FAMILY_##name)

enum { TRACES = F(TRACE) | F(SYSCALL) | F(PROCESS) };

/* The first option of a family that a kernel lacks is the one to name. */
const struct need needs[] = {
	{ F(KPROBE), "KPROBES", true,
	  { "register_kprobe", "unregister_kprobe", "unregister_kprobes", "enable_kprobe", "disable_kprobe" } },
	{ F(KPROBE), "KRETPROBES", true, { "register_kretprobe", "unregister_kretprobe", "unregister_kretprobes", "get_kretprobe" } },
	{ TRACES, "TRACEPOINTS", true,
	  { "for_each_kernel_tracepoint", "tracepoint_probe_register", "tracepoint_probe_unregister",
	    "register_tracepoint_module_notifier", "unregister_tracepoint_module_notifier" } },
	{ F(PERF) | F(DATA), "PERF_EVENTS", true,
	  { "perf_event_create_kernel_counter", "perf_event_release_kernel", "perf_event_enable", "perf_event_disable" } },
	{ F(DATA), "HAVE_HW_BREAKPOINT", true, { NULL } },
	{ F(NETFILTER), "NETFILTER", true,
	  { "nf_register_net_hook", "nf_unregister_net_hook", "init_net", "register_pernet_subsys", "unregister_pernet_subsys" } },
	{ F(UPROBE), "UPROBES", true,
	  { "uprobe_register", "uprobe_register_refctr", "uprobe_unregister", "uprobe_unregister_nosync",
	    "uprobe_unregister_sync" } },
	{ F(KPROBE), "FUNCTION_TRACER", false,
	  { "register_ftrace_function", "unregister_ftrace_function", "ftrace_set_filter_ips",
	    "ftrace_set_filter_ip", "ftrace_set_filter" } },
	/* --transport=relay, which ktaprun asks for when it loads the module */
	{ 0, "RELAY", false, { "relay_open", "relay_close", "relay_switch_subbuf", "relay_subbufs_consumed" } },
	{ 0, NULL, false, { NULL } },
};

const struct need *need_of_symbol(const char *name, size_t len)
{
	for (const struct need *n = needs; n->option; n++)
		for (int s = 0; s < NEED_SYMBOLS && n->symbols[s]; s++)
			if (strlen(n->symbols[s]) == len && !strncmp(n->symbols[s], name, len))
				return n;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that lack what a probe family needs: built without the option, or with their unused symbols trimmed.
 *
 * modpost says which symbols of the kit the kernel does not export. Those of the table below get stand-ins that return
 * -EOPNOTSUPP, in missing.c of the kit's directory, so that the kit builds for the other families. A script that needs one of
 * the symbols is refused. A symbol that is not in the table is needed by every script.
 */
#include "translator/build/build.h"

#include <errno.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/probe/probe.h"

#define F(name) (1u << KT_FAMILY_##name)

struct need {
	const char *symbol;
	unsigned families;  /* that need it */
	const char *option; /* of the kernel's configuration */
};

enum { TRACES = F(TRACE) | F(SYSCALL) | F(PROCESS), PERFS = F(PERF) | F(DATA) };

static const struct need needs[] = {
	{ "register_kprobe", F(KPROBE), "KPROBES" },
	{ "unregister_kprobe", F(KPROBE), "KPROBES" },
	{ "unregister_kprobes", F(KPROBE), "KPROBES" },
	{ "enable_kprobe", F(KPROBE), "KPROBES" },
	{ "disable_kprobe", F(KPROBE), "KPROBES" },
	{ "register_kretprobe", F(KPROBE), "KRETPROBES" },
	{ "unregister_kretprobe", F(KPROBE), "KRETPROBES" },
	{ "unregister_kretprobes", F(KPROBE), "KRETPROBES" },
	{ "register_ftrace_function", F(KPROBE), "FUNCTION_TRACER" },
	{ "unregister_ftrace_function", F(KPROBE), "FUNCTION_TRACER" },
	{ "ftrace_set_filter_ips", F(KPROBE), "FUNCTION_TRACER" },
	{ "ftrace_free_filter", F(KPROBE), "FUNCTION_TRACER" },
	{ "for_each_kernel_tracepoint", TRACES, "TRACEPOINTS" },
	{ "tracepoint_probe_register", TRACES, "TRACEPOINTS" },
	{ "tracepoint_probe_unregister", TRACES, "TRACEPOINTS" },
	{ "register_tracepoint_module_notifier", F(TRACE), "TRACEPOINTS" },
	{ "unregister_tracepoint_module_notifier", F(TRACE), "TRACEPOINTS" },
	{ "perf_event_create_kernel_counter", PERFS, "PERF_EVENTS" },
	{ "perf_event_release_kernel", PERFS, "PERF_EVENTS" },
	{ "perf_event_enable", PERFS, "PERF_EVENTS" },
	{ "perf_event_disable", PERFS, "PERF_EVENTS" },
	{ "nf_register_net_hook", F(NETFILTER), "NETFILTER" },
	{ "nf_unregister_net_hook", F(NETFILTER), "NETFILTER" },
	{ "uprobe_register", F(UPROBE), "UPROBES" },
	{ "uprobe_register_refctr", F(UPROBE), "UPROBES" },
	{ "uprobe_unregister", F(UPROBE), "UPROBES" },
	{ "uprobe_unregister_nosync", F(UPROBE), "UPROBES" },
	{ "uprobe_unregister_sync", F(UPROBE), "UPROBES" },
	{ NULL, 0, NULL },
};

/* The row of the symbol of LEN bytes at NAME, NULL: none. */
static const struct need *find_need(const char *name, size_t len)
{
	for (const struct need *n = needs; n->symbol; n++)
		if (strlen(n->symbol) == len && !strncmp(n->symbol, name, len))
			return n;
	return NULL;
}

bool lacks_supply(const char *dir, const struct text *out)
{
	_cleanup_free_ char *path = xasprintf("%s/" LACKS_FILE, dir);
	struct text c = { 0 };
	bool ok = true, any = false;

	/* modpost: ERROR: modpost: "NAME" [FILE] undefined! */
	for (const char *p = strstr(text_str(out), "modpost: \""); p && ok; p = strstr(p, "modpost: \"")) {
		const char *name = p += strlen("modpost: \"");
		size_t len = strcspn(name, "\"\n");

		if (strncmp(name + len, "\" [", 3))
			continue;
		ok = find_need(name, len);
		any = true;
		text_printf(&c, "long %.*s(void);\nlong %.*s(void)\n{\n\treturn -%d;\n}\n", (int)len, name, (int)len, name, EOPNOTSUPP);
	}
	ok = ok && any && !text_write_file(&c, path);
	text_deinit(&c);
	return ok;
}

static bool refuse(const struct probe *pr, const struct need *n, const struct kernel *k)
{
	error(pr->def->loc, DIAG_NO_FEATURE, "kernel %s has no '%s', which '%s' needs", k->release, n->symbol, pr->pp);
	note((struct loc){ 0 }, "it was built without CONFIG_%s, or with CONFIG_TRIM_UNUSED_KSYMS; probes of other families work",
	     n->option);
	return false;
}

bool lacks_check(const struct program *p, const struct kit *kit)
{
	_cleanup_free_ char *path = xasprintf("%s/" LACKS_FILE, kit->dir);
	struct text t = { 0 };
	bool ok = true;

	if (!text_read_file(&t, path))
		return true;
	for (const char *s = text_str(&t); ok && (s = strstr(s, "long ")); s++) {
		const struct need *n = find_need(s + 5, strcspn(s + 5, "("));

		for (const struct probe *pr = p->probes; ok && n && pr; pr = pr->next)
			if (n->families & 1u << pr->family->id)
				ok = refuse(pr, n, kit->kernel);
	}
	text_deinit(&t);
	return ok;
}

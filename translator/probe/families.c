/* The table of probe families. No family calls this file.
 *
 * To add a family: its file, its declaration in probe.h, its row here.
 */
#include "translator/probe/probe.h"

const struct probe_family *const probe_families[] = {
	&probe_family_life,
	&probe_family_timer,
	&probe_family_function,
	&probe_family_trace,
	&probe_family_perf,
	&probe_family_syscall,
	&probe_family_procfs,
	&probe_family_netfilter,
	&probe_family_kprobe,
	&probe_family_statement,
	&probe_family_process,
	&probe_family_process_event,
	&probe_family_data,
	&probe_family_python,
	NULL,
};

void probe_patterns(void (*fn)(const struct probe_pattern *pattern, void *data), void *data)
{
	for (const struct probe_family *const *f = probe_families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++)
			fn(p, data);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -t: how often each handler ran and how long it took, in cycles.
 *
 * The script's table of probes has kt_timed() for every handler then, so a session without -t does not even look. Each CPU
 * and level counts for itself: what an NMI's handler adds cannot fall into the middle of another addition.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/timex.h>

#include "runtime/core/timing.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"

static void *__percpu *timings; /* KT_LEVELS times n_probes aggregates */

/* The aggregate of PROBE at LEVEL in a CPU's ALL. */
static __always_inline kt_s64 *timing_of(kt_s64 *all, u32 level, u32 probe)
{
	return all + ((size_t)level * kt_script.n_probes + probe) * KT_TIMING_WORDS;
}

static u64 bytes_per_cpu(void)
{
	return (u64)KT_LEVELS * kt_script.n_probes * KT_TIMING_WORDS * sizeof(kt_s64);
}

u64 kt_timing_bytes(void)
{
	return kt_script.timed ? bytes_per_cpu() * num_possible_cpus() : 0;
}

int kt_timing_create(void)
{
	if (!kt_script.timed)
		return 0;
	timings = kt_percpu_alloc(bytes_per_cpu());
	return timings ? 0 : -ENOMEM;
}

void kt_timing_destroy(void)
{
	kt_percpu_free(timings);
}

/* Context: a handler's. */
__kprobes void kt_timed(struct kt_ctx *c)
{
	u32 probe = c->probe->index;
	u64 begin = get_cycles();

	kt_script.timed[probe](c);
	/* The CPU's own aggregate, found now: the handler may have slept. */
	kt_timing_add(timing_of(*raw_cpu_ptr(timings), kt_level_of(c)->id, probe), begin,
		      get_cycles());
}

void kt_timing_read(u32 probe, struct kt_probe_status *s)
{
	kt_s64 sum[KT_TIMING_WORDS] = { 0 };
	int cpu;

	if (!timings)
		return;
	for_each_possible_cpu (cpu)
		for (u32 level = 0; level < KT_LEVELS; level++)
			kt_stat_merge(sum, timing_of(*per_cpu_ptr(timings, cpu), level, probe), &kt_timing_type);
	kt_timing_get(s, sum);
}

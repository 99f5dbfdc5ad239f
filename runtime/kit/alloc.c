/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the core's arrays and aggregates, allocated before probes are armed. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/percpu.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "runtime/kit/memory.h"

/* If it has not, asking for them makes it reclaim for minutes or kill programs. */
bool kt_memory_for(u64 size)
{
	return size >> PAGE_SHIFT < (u64)si_mem_available();
}

/* Context: process, sleeps. */
void *kt_alloc(kt_u64 size, int cpu)
{
	void *p = kt_memory_for(size) ? vmalloc_node(size, cpu < 0 ? NUMA_NO_NODE : cpu_to_node(cpu)) : NULL;

	if (p)
		memset(p, 0, size);
	return p;
}

void kt_free(void *p)
{
	vfree(p);
}

void *__percpu *kt_percpu_alloc(u64 size)
{
	void *__percpu *ret = alloc_percpu(void *);
	bool all = ret;
	int cpu;

	for_each_possible_cpu (cpu) {
		if (all)
			*per_cpu_ptr(ret, cpu) = kt_alloc(size, cpu);
		all = all && *per_cpu_ptr(ret, cpu);
	}
	if (!all)
		kt_percpu_free(ret);
	return all ? ret : NULL;
}

void kt_percpu_free(void *__percpu *memory)
{
	int cpu;

	if (memory)
		for_each_possible_cpu (cpu)
			kt_free(*per_cpu_ptr(memory, cpu));
	free_percpu(memory);
}

kt_u32 kt_n_cpus(void)
{
	return nr_cpu_ids;
}
